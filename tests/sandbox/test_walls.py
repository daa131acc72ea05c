"""What hostile code tries, against every backend that this machine can run."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from research.models import Table
from research.sandbox.folder import session
from tests.sandbox.conftest import Run, commands

SECRET = "s3cret-canary"

ATTEMPTS = """
import ctypes, json, mmap, multiprocessing, os, resource, signal, socket, subprocess, sys

T = json.loads({target!r})

def show(action):
    try:
        return repr(action())
    except BaseException as error:
        return "refused: " + repr(error)

def read(path):
    with open(path, "rb") as file:
        return file.read()

def send(family, kind, address):
    with socket.socket(family, kind) as client:
        client.connect(address)
        client.send(b"x")

def raw(number, *args):
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(number, *args)
    if result < 0:
        raise OSError(ctypes.get_errno(), "raw")
    return result

def daemon():
    if os.fork() == 0:
        os.setsid()
        while True:
            pass

found = {{
    "read": show(lambda: read(T["secret"])),
    "shadow": show(lambda: read("/etc/shadow")),
    "passwd": show(lambda: read("/etc/passwd")),
    "project": show(lambda: read(T["project"])),
    "list": show(lambda: os.listdir(T["folder"])),
    "root": show(lambda: {{"home", "proc", "sys", "var", "boot"}} & {{*os.listdir("/")}}),
    "parent_environment": show(lambda: read("/proc/%d/environ" % T["pid"])),
    "parent_memory": show(lambda: read("/proc/%d/mem" % T["pid"])),
    "own_environment": show(lambda: read("/proc/self/environ")),
    "proc_root": show(lambda: read("/proc/self/root" + T["secret"])),
    "link": show(lambda: os.link(T["secret"], "out/a.csv")),
    "symlink": show(lambda: os.symlink(T["secret"], "out/b.csv")),
    "fifo": show(lambda: os.mkfifo("out/c.csv")),
    "write": show(lambda: open(T["secret"], "w").write("x")),
    "create": show(lambda: open(T["folder"] + "/new", "w").write("x")),
    "truncate": show(lambda: os.truncate(T["secret"], 0)),
    "rename": show(lambda: os.rename(T["secret"], "out/d.csv")),
    "remove": show(lambda: os.remove(T["secret"])),
    "chdir": show(lambda: (os.chdir(T["folder"]), read("secret"), os.chdir("/"))),
    "tcp": show(lambda: send(socket.AF_INET, socket.SOCK_STREAM, tuple(T["tcp"]))),
    "udp": show(lambda: send(socket.AF_INET, socket.SOCK_DGRAM, tuple(T["udp"]))),
    "unix": show(lambda: send(socket.AF_UNIX, socket.SOCK_STREAM, T["unix"])),
    "abstract": show(lambda: send(socket.AF_UNIX, socket.SOCK_STREAM, T["abstract"])),
    "netlink": show(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)),
    "socketpair": show(lambda: socket.socketpair()),
    "fork": show(daemon),
    "forkserver": show(lambda: multiprocessing.get_context("fork").Process(target=print).start()),
    "run": show(lambda: subprocess.run(["/bin/sh", "-c", "echo"], check=False)),
    "system": show(lambda: os.system("echo") and 1 / 0),
    "spawn": show(lambda: os.posix_spawn(sys.executable, [sys.executable], {{}})),
    "execute": show(lambda: os.execv(sys.executable, [sys.executable, "-c", ""])),
    "table_write": show(lambda: open("data/revenue_by_region.parquet", "r+b").write(b"x")),
    "table_remove": show(lambda: os.remove("data/revenue_by_region.parquet")),
    "table_truncate": show(lambda: os.truncate("data/revenue_by_region.parquet", 0)),
    "table_add": show(lambda: open("data/new", "w")),
    "kill_parent": show(lambda: os.kill(T["pid"], signal.SIGTERM)),
    "kill_all": show(lambda: os.kill(-1, signal.SIGTERM)),
    "clone3": show(lambda: raw(435, 0, 0)),
    "io_uring": show(lambda: raw(425, 1, 0)),
    "memfd": show(lambda: os.memfd_create("x")),
    "unshare": show(lambda: raw(272 if os.uname().machine == "x86_64" else 97, 0x10000000)),
    "limits": show(lambda: resource.setrlimit(7, (4096, 4096))),
    "become_root": show(lambda: os.setuid(0)),
    "outlive_parent": show(lambda: raw(157 if os.uname().machine == "x86_64" else 167, 1, 0)),
}}
show(lambda: os.chmod(T["secret"], 0o777))
show(lambda: raw(452, -100, T["secret"].encode(), 0o777, 0))  # fchmodat2
show(lambda: os.chown(T["secret"], 1, 1))
show(lambda: os.utime(T["secret"], (1, 1)))
show(lambda: os.setxattr(T["secret"], "user.x", b"x"))
os.chdir("/")
print(json.dumps({{"found": found, "environment": dict(os.environ)}}))
"""


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    folder = tmp_path_factory.mktemp("outside")
    secret = folder / "secret"
    secret.write_text(SECRET)
    secret.chmod(0o666)
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    unix, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    with socket.create_server(("127.0.0.1", 0)) as tcp, udp, unix, abstract:
        udp.bind(("127.0.0.1", 0))
        unix.bind(str(folder / "s"))
        abstract.bind(f"\0dossier-test-{os.getpid()}")
        for server in (unix, abstract):
            server.listen()
        for server in (tcp, udp, unix, abstract):
            server.setblocking(False)
        yield {
            "folder": str(folder),
            "secret": str(secret),
            "project": str(Path(__file__).resolve()),
            "pid": os.getpid(),
            "tcp": tcp.getsockname(),
            "udp": udp.getsockname(),
            "unix": str(folder / "s"),
            "abstract": f"\0dossier-test-{os.getpid()}",
            "servers": [tcp, unix, abstract],
            "mailbox": udp,
        }


@pytest.fixture(scope="module")
def escape(run: Run, outside: dict[str, object], revenue: Table) -> dict[str, dict[str, str]]:
    target = {name: outside[name] for name in outside if name not in ("servers", "mailbox")}
    secret = Path(str(outside["secret"]))
    before = secret.stat()
    os.environ["OPENAI_API_KEY"] = SECRET
    try:
        result = run(ATTEMPTS.format(target=json.dumps(target)), revenue)
    finally:
        del os.environ["OPENAI_API_KEY"]
    assert result.ok, result.error
    after = secret.stat()
    untouched = {"mode", "uid", "gid", "mtime_ns", "nlink", "size", "ino"}
    changed = {n for n in untouched if getattr(before, f"st_{n}") != getattr(after, f"st_{n}")}
    return {**json.loads(result.stdout), "changed": changed, "tables": result.tables}


def test_every_attempt_to_get_out_is_refused(escape: dict[str, dict[str, str]]) -> None:
    got = {name: said for name, said in escape["found"].items() if "refused" not in said}
    assert got.pop("root", "set()") == "set()"
    assert got == {}


def test_no_answer_holds_the_secret(escape: dict[str, dict[str, str]]) -> None:
    assert SECRET not in json.dumps(escape["found"])


def test_the_environment_is_built_from_nothing(escape: dict[str, dict[str, str]]) -> None:
    allowed = {"LANG", "LC_CTYPE", "HOME", "TMPDIR", "PWD", "MALLOC_ARENA_MAX", "MPLBACKEND"}
    pools = {name for name in escape["environment"] if name.endswith(("_THREADS", "_POOL"))}
    assert set(escape["environment"]) - pools <= allowed
    assert SECRET not in json.dumps(escape["environment"])


def test_the_file_outside_is_as_it_was(
    escape: dict[str, dict[str, str]], outside: dict[str, object]
) -> None:
    assert escape["changed"] == set()
    assert Path(str(outside["secret"])).read_text() == SECRET
    assert not list(Path(str(outside["folder"])).glob("new"))
    assert os.listxattr(str(outside["secret"])) == []


def test_nothing_reached_the_servers(
    escape: dict[str, dict[str, str]], outside: dict[str, object]
) -> None:
    assert escape
    for server in outside["servers"]:  # type: ignore[attr-defined]
        with pytest.raises(BlockingIOError):
            server.accept()
    with pytest.raises(BlockingIOError):
        outside["mailbox"].recv(1)  # type: ignore[attr-defined]


def test_no_link_became_an_artefact(escape: dict[str, object]) -> None:
    assert escape["tables"] == ()


def test_a_native_program_smuggled_in_cannot_make_forbidden_calls(run: Run) -> None:
    """The filter holds for machine code too, in either word size."""
    if os.uname().machine != "x86_64":
        pytest.skip("machine code for x86-64")
    result = run(
        """
import ctypes, mmap
# mov eax, 2; int 0x80; ret: fork through the 32-bit entry
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("b802000000cd80c3"))
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
print("survived")
"""
    )
    assert not result.ok
    assert "survived" not in result.stdout


def test_the_worker_dies_with_the_process_that_started_it(backend: object, place: Path) -> None:
    """A killed server leaves no job behind: one is started by a child, which is then killed."""
    program = f"""
import asyncio, sys, threading, time
from pathlib import Path
from research.sandbox import Job, Sandbox
from research.sandbox.backends import backends
from research.settings import SandboxLimits
backend = next(b for b in backends() if repr(b) == {repr(backend)!r})
box = Sandbox(backend, SandboxLimits(), Path({str(place)!r}))
asyncio.run(box.run(Job("open('out/started', 'w').close()\\nwhile True: pass")))
"""
    child = subprocess.Popen([sys.executable, "-c", program])
    try:
        started = threading.Event()
        deadline = threading.Timer(30, started.set)
        deadline.start()
        while not list(place.glob("*/*/work/out/started")) and not started.wait(0.02):
            pass
        deadline.cancel()
        (mark,) = place.glob("*/*/work/out/started")
        job = mark.parents[2]
    finally:
        child.kill()
        child.wait()
    while any(str(job) in command for command in commands()):
        started.wait(0.02)
    assert job.exists()
    with session(place) as fresh:  # the next sandbox on that folder clears what was left
        assert list(place.iterdir()) == [fresh]
