"""What hostile code tries with; run as a job, with ``TARGET`` put in front of this file.

Each attempt is an expression of what is defined here. For each one line comes out: its name,
``refused`` or ``worked``, and what it saw. Only what a system refuses with counts as a refusal:
any other error is a mistake in the attempt, and said to be one.
"""

import ctypes
import errno
import importlib
import json
import mmap
import multiprocessing
import os
import pwd
import resource
import signal
import site
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

TARGET: dict[str, Any] = globals().get("TARGET", {})
REFUSALS = (OSError, MemoryError)
LIBC = ctypes.CDLL(None, use_errno=True)
GIGABYTE = 2**30
PAGE = ctypes.create_string_buffer(4096)

__all__ = ["importlib", "mmap", "multiprocessing", "pwd", "resource", "signal", "site", "sys"]


def read(path: str) -> bytes:
    return Path(path).read_bytes()[:100_000]


def write(path: str, mode: str = "r+b") -> int:
    with Path(path).open(mode) as file:
        return file.write(b"x")


def plant(name: str) -> int:
    """A module in the working directory that would show itself to whoever imports it."""
    return Path(name).write_text(f"import os\nos.environ['PLANTED'] = {name!r}\nPLANTED = True\n")


def send(family: int, kind: int, address: Any) -> int:
    with socket.socket(family, kind) as client:
        client.settimeout(2)
        client.connect(tuple(address) if isinstance(address, list) else address)
        return client.send(b"x")


def ask_name(address: Any) -> int:
    """A query for a name that carries data, to a resolver that would hear it."""
    question = b"\x07\x01\x01\x00\x00\x01" + bytes(6) + b"\x06secret\x07example\x00\x00\x01\x00\x01"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        return client.sendto(question, tuple(address))


def fetch(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=2) as answer:
        return answer.read(100)


def raw(*args: Any) -> str:
    """A system call by its number. Other errors than these mean that the kernel took it up."""
    result = LIBC.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in args))
    code = ctypes.get_errno()
    if result < 0 and code in (errno.EPERM, errno.ENOSYS, errno.EACCES):
        raise OSError(code, os.strerror(code))
    return f"answered {result}, {errno.errorcode.get(code, code) if result < 0 else 'done'}"


def daemon() -> int:
    pid = os.fork()
    if pid == 0:
        os.setsid()
        time.sleep(30)
        os._exit(0)
    return pid


def bomb() -> int:
    for _ in range(500):
        try:
            if os.fork() == 0:
                time.sleep(30)
                os._exit(0)
        except OSError as error:
            last = error
        else:
            return 1
    raise last


def thread_kept() -> str:
    """A thread that goes on when the code has ended."""
    threading.Thread(target=time.sleep, args=(30,)).start()
    return "started"


def descriptors() -> list[str]:
    """What else is open than pipes and devices."""
    found = []
    for number in range(resource.getrlimit(resource.RLIMIT_NOFILE)[0]):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        if not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
            found.append(f"{number} is {stat.filemode(mode)}")
    if not found:
        raise OSError(errno.EBADF, "nothing else is open")
    return found


def listen() -> str:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        return "heard"


def run_program() -> str:
    return subprocess.run(["/bin/sh", "-c", "echo x"], check=False, capture_output=True).stdout


def system() -> int:
    if (status := os.system("true")) in (-1, 127 << 8):
        raise OSError(errno.EPERM, "no shell")
    return status


def each(action: Any, values: list[Any]) -> list[Any]:
    """What worked with one of the values; refused when nothing did."""
    done, last = [], None
    for value in values:
        try:
            done.append(action(value))
        except OSError as error:
            last = error
    if last is not None and not done:
        raise last
    return done


def attempt(code: str, scope: dict[str, Any]) -> tuple[str, str]:
    try:
        return "worked", repr(eval(code, scope))[:3000]
    except REFUSALS as error:
        return "refused", repr(error)[:300]
    except BaseException as error:
        return "broken", repr(error)[:300]


def main() -> None:
    LIBC.prctl(15, TARGET["mark"].encode())
    start = Path.cwd()
    for name, (code, own) in TARGET["attempts"].items():
        # Said first: if it ends this process, nothing takes it back.
        print(json.dumps([name, "ended", "the code did not come back from it"]), flush=True)
        answer = attempt(code, {**globals(), **TARGET["common"], **own})
        os.chdir(start)
        print(json.dumps([name, *answer]), flush=True)
    LIBC.prctl(16, PAGE)
    print(json.dumps(["mark", "worked", PAGE.value.decode()]), flush=True)


if __name__ == "__main__":
    main()
