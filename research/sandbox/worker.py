"""The program inside the sandbox: it locks itself in, imports, waits for one job, runs it, ends.

It is copied beside each job, so it imports nothing of the project, and until it is locked in it
imports nothing but the standard library (and nono_py where that does the locking). Every failure on
the way ends the process: there is no half-locked state in which code is run.

Orders come as JSON in the first argument, ``go`` as one byte on standard input, and what it has to
say goes as JSON lines to the descriptor or the named pipe that the orders name.
"""

import contextlib
import ctypes
import errno
import json
import linecache
import os
import resource
import select
import signal
import sys
import threading
import time
import traceback
import types
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
CAPABILITY_VERSION_3 = 0x20080522
SPARE_MEMORY = 64 * 2**20
"""Bytes kept back so that a MemoryError can still be reported."""
FOLDER = Path(__file__).parent

libc = ctypes.CDLL(None, use_errno=True)
if sys.platform == "linux":
    libc.prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)


def main() -> None:
    """Follow the orders."""
    orders = json.loads(sys.argv[1])
    report = orders["report"]
    if isinstance(report, str):  # in a container
        stand_guard()
        os.environ.clear()
        os.environ.update(orders["environment"])
        report = open_pipe(report)
    limit_resources(orders["memory"], orders["file"])
    if sys.platform == "linux":
        lock_in(orders["parent"], orders["landlock"])
    else:
        end_without_parent(orders["parent"])
        restrict_files(**orders["seatbelt"])

    import_libraries()
    if not told_to_go(orders["patience"]):
        os._exit(0)
    limit_cpu(orders["cpu"])
    say(report, {"running": True})
    failure = run()
    if failure:
        say(report, failure)
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(Exception):  # the code may have put anything there
            stream.flush()  # type: ignore[union-attr]
    os._exit(1 if failure else 0)  # threads the code left behind are not waited for


def stand_guard() -> None:
    """Go on as a child of this process, which stays to pass ``go`` on and to end with the app.

    It is the first of its container, so the kernel ends with it all that is inside.
    """
    go, give = os.pipe()
    alive, held = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(go, 0)
        for descriptor in (go, give, alive):
            os.close(descriptor)
        return  # ``held`` stays open as long as the child lives
    os.close(held)
    call(libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))  # the child cannot look in or reach over
    ready: list = []
    while alive not in ready:
        ready, _, _ = select.select([0, alive], [], [])
        if 0 in ready:
            said = os.read(0, 64)
            if not said:
                os._exit(128 + signal.SIGKILL)
            with contextlib.suppress(BrokenPipeError):
                os.write(give, said)
    os.kill(child, signal.SIGKILL)  # it may only have closed its end of the pipe
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os._exit(128 - code if code < 0 else code)


def open_pipe(name: str) -> int:
    """A descriptor to write to a named pipe, which somebody must be reading."""
    descriptor = os.open(name, os.O_WRONLY | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor


def limit_resources(memory: int, file: int) -> None:
    """Limit bytes of private memory and of one file.

    Address space is limited far above: libraries reserve it without using it.
    """
    if sys.platform == "linux":  # elsewhere the kernel does not count them: the watch does
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory + SPARE_MEMORY))
        resource.setrlimit(resource.RLIMIT_AS, (memory + 2**32, memory + 2**32))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file, file))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    # Not 0, with which a dump still goes to a crash collector; 1 stops both.
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))


def limit_cpu(seconds: int) -> None:
    """Limit CPU seconds from here on: SIGXCPU first, SIGKILL two seconds later."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, soft + 2))


def call(result: int) -> None:
    """Raise when a C function reported an error."""
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def lock_in(parent: int, landlock: dict | None) -> None:
    """Put up the walls that the kernel of Linux offers to a single process."""
    program = (FOLDER / "filter").read_bytes()
    drop_privileges()
    die_with_parent(parent)
    if landlock:
        require_landlock()
        restrict_files(**landlock)
    filter_calls(program)


def drop_privileges() -> None:
    """Give up every capability, for good; root is then an owner of files and nothing more."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    call(libc.capset(header, (ctypes.c_uint32 * 6)()))
    call(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))


def die_with_parent(parent: int) -> None:
    """Be killed when the process that started this one dies."""
    call(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    if parent and os.getppid() != parent:
        os._exit(0)


def end_without_parent(parent: int) -> None:
    """End when the process that started this one is gone, where the kernel does not see to it."""

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=look, daemon=True).start()


def require_landlock() -> None:
    """Raise unless Landlock guards truncation and would hold for this whole process."""
    import nono_py

    if not nono_py.detect_abi().has_truncate:
        raise OSError(errno.ENOSYS, "Landlock does not guard truncation")
    if len(list(Path("/proc/self/task").iterdir())) != 1:
        raise OSError(errno.EBUSY, "Landlock would miss the other threads")


def restrict_files(read: list[str], write: list[str], rules: list[str] | None = None) -> None:
    """Close every file but these, and the network where the kernel can: Landlock or Seatbelt."""
    import nono_py

    rights = nono_py.CapabilitySet()
    for rule in rules or []:
        rights.platform_rule(rule)
    for paths, mode in ((read, nono_py.AccessMode.READ), (write, nono_py.AccessMode.READ_WRITE)):
        for path in paths:
            allow = rights.allow_path if Path(path).is_dir() else rights.allow_file
            allow(path, mode)
    if sys.platform != "linux" or nono_py.detect_abi().has_network:
        rights.block_network()
    nono_py.apply(rights)


def filter_calls(program: bytes) -> None:
    """Put this process and all its threads to come under the seccomp filter."""

    class Filter(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))

    rules = Filter(len(program) // 8, program)
    call(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(rules), 0, 0))


def import_libraries() -> None:
    """Import what nearly every job uses, and what those import only at their first use."""
    import io

    import pandas as pd
    import plotly.express as px

    frame = pd.DataFrame({"x": ["a", "b"], "y": [1, 2]})
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    pd.read_parquet(buffer)
    px.bar(frame, x="x", y="y").to_json()


def told_to_go(patience: float) -> bool:
    """Wait at most ``patience`` seconds; False when there is no job, or no parent, any more."""
    ready, _, _ = select.select([0], [], [], patience)
    if not ready or not os.read(0, 1):
        return False
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return True


def run() -> dict | None:
    """Run the job's code as a script; what went wrong, or None."""
    source = (FOLDER / "code.py").read_text("utf-8")
    sys.argv = ["code.py"]
    # By line, so that a job that is killed has still said what it found until then.
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    linecache.cache["code.py"] = (len(source), None, source.splitlines(True), "code.py")
    script = types.ModuleType("__main__")
    sys.modules["__main__"] = script
    try:
        exec(compile(source, "code.py", "exec"), script.__dict__)  # noqa: S102 - what this is for
    except SystemExit as end:
        return None if end.code in (None, 0) else {"error": f"SystemExit: {end.code}"}
    except BaseException as error:
        return describe(error)
    return None


def describe(error: BaseException) -> dict:
    """The traceback of the job's own frames and the libraries', and which limit it tells of."""
    limit = ""
    if isinstance(error, MemoryError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
        limit = "memory"
    elif isinstance(error, RuntimeError) and str(error) == "can't start new thread":
        limit = "threads"
    elif isinstance(error, OSError) and error.errno == errno.EFBIG:
        limit = "file"
    trace = traceback.TracebackException.from_exception(error)
    tidy(trace)
    return {"error": "".join(trace.format()), "limit": limit}


def tidy(trace: traceback.TracebackException) -> None:
    """Drop this program's frames and shorten the names of libraries, through the whole chain."""
    trace.stack[:] = [frame for frame in trace.stack if frame.filename != __file__]
    for frame in trace.stack:
        frame.filename = frame.filename.rpartition("site-packages/")[2]
    for earlier in (trace.__cause__, trace.__context__):
        if earlier is not None:
            tidy(earlier)


def say(report: int, message: dict) -> None:
    """Write one JSON line to the parent."""
    line = json.dumps(message).encode() + b"\n"
    while line:
        line = line[os.write(report, line) :]


if __name__ == "__main__":
    main()
