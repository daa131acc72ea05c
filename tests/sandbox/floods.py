"""Hostile code that has to be ended: each in a job of its own behind each backend."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Flood:
    """One way to use too much."""

    name: str
    code: str
    told: str
    """Key of the notice by which the user is told what stopped it."""
    stopped: bool = True
    """Whether a limit ends it; else it is the refusal that does."""
    only: str = ""
    """The machine it can be tried on; any where it is empty."""


FLOODS = (
    Flood("endless loop", "while True: pass", "sandbox.limit_cpu"),
    Flood(
        "sleep that ignores SIGTERM",
        """
import signal, time
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
while True:
    try:
        time.sleep(60)
    except BaseException:
        pass
""",
        "sandbox.limit_wall",
    ),
    Flood(
        "threads without end",
        """
import threading, time
threading.stack_size(64 * 1024)
while True:
    threading.Thread(target=time.sleep, args=(60,)).start()
""",
        "sandbox.limit_threads",
    ),
    Flood(
        "4 GB in one process, and no end",
        "kept = []\nwhile True: kept.append(bytearray(32_000_000))",
        "sandbox.limit_memory",
    ),
    Flood(
        "4 GB shared by several threads",
        """
import mmap, threading
kept = []
def take():
    while True:
        kept.append(mmap.mmap(-1, 16_000_000))
        kept[-1].write(bytes(16_000_000))
crowd = [threading.Thread(target=take) for _ in range(4)]
for one in crowd:
    one.start()
for one in crowd:
    one.join()
""",
        "sandbox.limit_memory",
    ),
    Flood(
        "300 MB of stdout",
        "import os\nfor _ in range(300): os.write(1, b'x' * 2**20)\nopen('out/said.csv', 'w')",
        "sandbox.limit_output",
    ),
    Flood(
        "one huge file",
        "with open('out/huge.csv', 'wb') as file:\n    while True: file.write(b'1' * 2**20)",
        "sandbox.limit_file",
    ),
    Flood(
        "many large files",
        "for i in range(10_000): open(f'out/{i}.csv', 'wb').write(b'1' * 3_000_000)",
        "sandbox.limit_scratch",
    ),
    Flood(
        "many small files",
        "for i in range(10**6): open(f'tmp/{i}.csv', 'wb').close()",
        "sandbox.limit_files",
    ),
    Flood(
        "fork in 32-bit machine code",
        """
import ctypes, mmap
# mov eax, 2; int 0x80; ret: past a filter that knows one word size only
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("b802000000cd80c3"))
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
""",
        "sandbox.crashed",
        stopped=False,
        only="x86_64",
    ),
)
