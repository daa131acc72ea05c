"""The program inside the sandbox: it locks itself in, imports, waits for one job, runs it, ends.

It is copied beside each job, so it imports nothing of the project, and until it is locked in it
imports nothing but the standard library (and nono_py where Landlock does the locking). Every
failure on the way ends the process: there is no half-locked state in which code is run.

Orders come as JSON in the first argument, ``go`` as one byte on standard input, and what it has to
say goes as JSON lines to the descriptor named in the orders.
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
import traceback
import types
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
CAPABILITY_VERSION_3 = 0x20080522
SPARE_MEMORY = 64 * 2**20
"""Bytes kept back so that a MemoryError can still be reported."""
FOLDER = Path(__file__).parent

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)


def main() -> None:
    """Follow the orders."""
    orders = json.loads(sys.argv[1])
    report = orders["report"]
    program = (FOLDER / "filter").read_bytes()
    limit_resources(orders["memory"], orders["file"])
    drop_privileges()
    die_with_parent(orders["parent"])
    if orders["landlock"]:
        restrict_files(**orders["landlock"])
    filter_calls(program)

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


def limit_resources(memory: int, file: int) -> None:
    """Limit bytes of private memory and of one file.

    Address space is limited far above: libraries reserve it without using it.
    """
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


def restrict_files(read: list[str], write: list[str]) -> None:
    """Close every file but these with Landlock, and TCP where the kernel's Landlock knows it."""
    import nono_py

    rights = nono_py.CapabilitySet()
    for paths, mode in ((read, nono_py.AccessMode.READ), (write, nono_py.AccessMode.READ_WRITE)):
        for path in paths:
            allow = rights.allow_path if Path(path).is_dir() else rights.allow_file
            allow(path, mode)
    abi = nono_py.detect_abi()
    if not abi.has_truncate:
        raise OSError(errno.ENOSYS, "Landlock does not guard truncation")
    if len(list(Path("/proc/self/task").iterdir())) != 1:
        raise OSError(errno.EBUSY, "Landlock would miss the other threads")
    if abi.has_network:
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
