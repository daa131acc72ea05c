"""What hostile code tries without being ended by it: all of it in one job behind each backend.

A new probe is one more line: its name, and an expression of what ``inside.py`` defines. It is given

- ``HERE``, a folder of its own that file rights leave open to everyone, and ``SECRET``, a file in
  it: neither may change, and what is in the file may not be seen;
- ``ADDRESS``, where ``listen`` says what kind of server waits there and must hear nothing;
- ``NUMBER``, of the system call that ``call`` names;
- ``PARENT``, ``HOME``, ``DATA``, ``VICTIM``...: see :class:`tests.sandbox.probing.World`.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.sandbox.listening import Kind


@dataclass(frozen=True)
class Attempt:
    """One thing to try."""

    name: str
    code: str
    listen: Kind | None = None
    call: str = ""
    """A system call; the probe is not applicable where this machine has none of that name."""
    answered: bool = False
    """The code may see it as done: whether it was is told by what shows outside."""
    limited: bool = False
    """What stops it is a limit."""


FILES = (
    Attempt("read a file", "read(SECRET)"),
    Attempt("list a folder", "os.listdir(HERE)"),
    Attempt("read by way of chdir", "(os.chdir(HERE), read('secret'))"),
    Attempt("read through /proc/self/root", "read('/proc/self/root' + SECRET)"),
    Attempt("read ~/.ssh", "read(HOME + '/.ssh/id_ed25519')"),
    Attempt("read the data folder", "read(DATA)"),
    Attempt("read /etc/shadow", "read('/etc/shadow')"),
    Attempt("read /etc/passwd", "read('/etc/passwd')"),
    Attempt("read the program's source", "read(SOURCE)"),
    Attempt("write a file", "write(SECRET)"),
    Attempt("append to a file", "write(SECRET, 'ab')"),
    Attempt("make a file", "write(HERE + '/new', 'wb')"),
    Attempt("make a folder", "os.mkdir(HERE + '/new')"),
    Attempt("truncate", "os.truncate(SECRET, 0)"),
    Attempt("rename", "os.rename(SECRET, HERE + '/new')"),
    Attempt("move into scratch", "os.rename(SECRET, 'out/moved.csv')"),
    Attempt("remove", "os.remove(SECRET)"),
    Attempt("symlink outside", "os.symlink('/etc', HERE + '/new')"),
    Attempt("chmod", "os.chmod(SECRET, 0o777)", answered=True),
    Attempt("chmod (fchmodat2)", "raw(NUMBER, -100, SECRET.encode(), 0o777, 0)", call="fchmodat2",
            answered=True),
    Attempt("chown", "os.chown(SECRET, 12345, 12345)", answered=True),
    Attempt("utime", "os.utime(SECRET, (1, 1))", answered=True),
    Attempt("extended attribute", "os.setxattr(SECRET, 'user.x', b'x')", answered=True),
)  # fmt: skip
"""Harmless to anything but their own folder: they are tried without walls as well."""

NETWORK = (
    Attempt("TCP", "send(socket.AF_INET, socket.SOCK_STREAM, ADDRESS)", listen="tcp"),
    Attempt("TCP over IPv6", "send(socket.AF_INET6, socket.SOCK_STREAM, ADDRESS)", listen="tcp6"),
    Attempt("UDP", "send(socket.AF_INET, socket.SOCK_DGRAM, ADDRESS)", listen="udp"),
    Attempt("Unix socket by path", "send(socket.AF_UNIX, socket.SOCK_STREAM, ADDRESS)",
            listen="unix"),
    Attempt("Unix socket, abstract", "send(socket.AF_UNIX, socket.SOCK_STREAM, ADDRESS)",
            listen="abstract"),
    Attempt("HTTP to the app's own port", "fetch(ADDRESS)", listen="http"),
    Attempt("DNS query to a resolver", "ask_name(ADDRESS)", listen="udp"),
    Attempt("listen for calls", "listen()"),
    Attempt("socket pair", "socket.socketpair()"),
)  # fmt: skip
"""Harmless: what they reach are the tests' own servers. Tried without walls as well."""

_PROBED_NETWORK = (
    Attempt("DNS lookup", "socket.getaddrinfo('secret.example', 80)"),
    Attempt("netlink socket", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)"),
    Attempt("packet socket", "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"),
    Attempt("raw IP socket", "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"),
)

_SELF = (
    Attempt("key in the environment", "dict(os.environ)", answered=True),
    Attempt("key by getenv", "(setattr(LIBC.getenv, 'restype', ctypes.c_char_p),"
            " LIBC.getenv(b'OPENAI_API_KEY'))", answered=True),
    Attempt("/proc/self/environ", "read('/proc/self/environ')"),
    Attempt("/proc/PARENT/environ", "read(f'/proc/{PARENT}/environ')"),
    Attempt("/proc/PARENT/mem", "open(f'/proc/{PARENT}/mem', 'rb')"),
    Attempt("/proc/PARENT/cmdline", "read(f'/proc/{PARENT}/cmdline')"),
    Attempt("/proc/PARENT/cwd", "os.listdir(f'/proc/{PARENT}/cwd')"),
    Attempt("descriptors left open", "descriptors()"),
    Attempt("write to sys.prefix", "each(lambda f: write(f + '/dossier-probe.pth', 'wb'),"
            " [sys.prefix, sys.base_prefix, *site.getsitepackages()])"),
    Attempt("change an installed module", "open(json.__file__, 'r+b')"),
    Attempt("write to /tmp", "write('/tmp/' + MARK, 'wb')"),
    Attempt("write to /dev/shm", "write('/dev/shm/' + MARK, 'wb')"),
    Attempt("change the worker program", "write('../worker.py')"),
    Attempt("change the filter", "write('../filter')"),
    Attempt("change a table", "write('data/revenue_by_region.parquet')"),
    Attempt("truncate a table", "os.truncate('data/revenue_by_region.parquet', 0)"),
    Attempt("remove a table", "os.remove('data/revenue_by_region.parquet')"),
    Attempt("add a table", "write('data/new.parquet', 'wb')"),
    Attempt("plant a module for the next worker", "each(plant, ['pandas.py', 'sitecustomize.py',"
            " 'usercustomize.py', 'json.py', 'planted.py'])", answered=True),
)  # fmt: skip

_OTHERS = (
    Attempt("another job's folder", "os.listdir(VICTIM_FOLDER)"),
    Attempt("another job's code", "read(VICTIM_FOLDER + '/code.py')"),
    Attempt("another job's table", "read(VICTIM_FOLDER + '/data/revenue_by_region.parquet')"),
    Attempt("write into another job's scratch", "write(VICTIM_FOLDER + '/work/out/x.csv', 'wb')"),
    Attempt("by way of ..", "each(os.listdir, ['../..', '../../../..'])", answered=True),
    Attempt("list all jobs", "os.listdir(SESSION)"),
    Attempt("a job of another session", "read(OTHER_FOLDER + '/code.py')"),
    Attempt("stdin of another worker", "each(lambda p: write(f'/proc/{p}/fd/0', 'wb'), VICTIM)"),
    Attempt("memory of another worker", "each(lambda p: open(f'/proc/{p}/mem', 'r+b'), VICTIM)"),
    Attempt("kill another worker", "each(lambda p: os.kill(p, signal.SIGKILL), VICTIM)"),
    Attempt("kill the parent", "os.kill(PARENT, signal.SIGUSR1)"),
    Attempt("kill the parent's thread (tgkill)", "raw(NUMBER, PARENT, PARENT, signal.SIGUSR1)",
            call="tgkill"),
    Attempt("kill by queue", "raw(NUMBER, PARENT, signal.SIGUSR1, PAGE)", call="rt_sigqueueinfo"),
    Attempt("signal everybody", "os.kill(-1, 0)"),
    Attempt("signal the group", "os.killpg(0, signal.SIGCONT)"),
    Attempt("signal by F_SETOWN", "raw(NUMBER, 1, 8, PARENT)", call="fcntl"),
    Attempt("pidfd_open of the parent", "raw(NUMBER, PARENT, 0)", call="pidfd_open"),
    Attempt("pidfd_send_signal", "raw(NUMBER, 1, 0, 0, 0)", call="pidfd_send_signal"),
    Attempt("pidfd_getfd", "raw(NUMBER, 1, 0, 0)", call="pidfd_getfd"),
    Attempt("ptrace the parent", "raw(NUMBER, 0x4206, PARENT, 0, 0)", call="ptrace"),
    Attempt("process_vm_readv of the parent", "raw(NUMBER, PARENT, 0, 0, 0, 0, 0)",
            call="process_vm_readv"),
    Attempt("process_vm_writev of the parent", "raw(NUMBER, PARENT, 0, 0, 0, 0, 0)",
            call="process_vm_writev"),
    Attempt("process_madvise", "raw(NUMBER, 1, 0, 0, 0, 0)", call="process_madvise"),
    Attempt("limits of the parent", "raw(NUMBER, PARENT, 7, 0, PAGE)", call="prlimit64"),
    Attempt("CPUs of the parent", "raw(NUMBER, PARENT, 0, 0)", call="sched_setaffinity"),
    Attempt("priority of the parent", "raw(NUMBER, 0, PARENT, 19)", call="setpriority"),
)  # fmt: skip

_PROCESSES = (
    Attempt("fork", "daemon()"),
    Attempt("fork bomb", "bomb()"),
    Attempt("vfork", "raw(NUMBER)", call="vfork"),
    Attempt("clone a process", "raw(NUMBER, signal.SIGCHLD, 0, 0, 0, 0)", call="clone"),
    Attempt("clone3", "raw(NUMBER, PAGE, 0)", call="clone3"),
    Attempt("multiprocessing", "multiprocessing.get_context('fork').Process(target=int).start()"),
    Attempt("subprocess", "run_program()"),
    Attempt("os.system", "system()"),
    Attempt("posix_spawn", "os.posix_spawn(sys.executable, [sys.executable, '-c', ''], {})"),
    Attempt("daemon that outlives the run", "(thread_kept(), daemon())"),
    Attempt("raise own limits", "raw(NUMBER, 0, 7, (ctypes.c_ulong * 2)(4096, 4096), 0)",
            call="prlimit64"),
    Attempt("become root", "os.setuid(0)"),
    Attempt("become another user", "os.setuid(1234)"),
    Attempt("new session", "os.setsid()"),
    Attempt("outlive the parent (prctl)", "raw(NUMBER, 1, 0, 0, 0, 0)", call="prctl"),
    Attempt("type into a terminal (TIOCSTI)", "raw(NUMBER, 1, 0x5412, b'x')", call="ioctl"),
)  # fmt: skip

_KERNEL = tuple(
    Attempt(name, f"raw(NUMBER, {args})", call=name)
    for name, args in {
        "bpf": "0, PAGE, 1",
        "keyctl": "0, -3, 0, 0, 0",
        "add_key": "b'user', b'x', b'x', 1, -3",
        "request_key": "b'user', b'x', 0, -3",
        "io_uring_setup": "1, PAGE",
        "mount": "0, b'/nowhere', 0, 0, 0",
        "umount2": "b'/nowhere', 0",
        "fsopen": "b'tmpfs', 0",
        "open_tree": "-100, b'/', 0",
        "move_mount": "-1, b'', -1, b'', 0",
        "mount_setattr": "-1, b'', 0, 0, 0",
        "pivot_root": "b'/nowhere', b'/nowhere'",
        "chroot": "b'/nowhere'",
        "unshare": "0x10000000",
        "setns": "1, 0",
        "perf_event_open": "PAGE, 0, -1, -1, 0",
        "userfaultfd": "1",
        "memfd_create": "b'x', 0",
        "memfd_secret": "0",
        "name_to_handle_at": "-100, SECRET.encode(), PAGE, PAGE, 0",
        "open_by_handle_at": "-100, PAGE, 0",
        "fanotify_init": "0, 0",
        "shmget": "0, 4096, 0o600",
        "msgget": "0, 0o600",
        "semget": "0, 1, 0o600",
        "mq_open": "b'x', 0",
        "personality": "0x40000",
        "seccomp": "0, 1, 0",
        "capset": "0, 0",
        "init_module": "0, 0, b''",
        "finit_module": "-1, b'', 0",
        "kexec_load": "0, 1, 0, -1",
        "reboot": "0, 0, 0, 0",
        "syslog": "10, 0, 0",
        "swapon": "b'/nowhere', 0",
        "quotactl": "-1, 0, 0, 0",
        "clock_settime": "99, 0",
        "sethostname": "0, 100",
        "modify_ldt": "0, PAGE, 0",
        "iopl": "0",
        "kcmp": "PARENT, PARENT, 99, 0, 0",
        "vmsplice": "-1, 0, 0, 0",
    }.items()
)

_AMOUNTS = (
    Attempt("4 GB at once", "bytearray(4 * GIGABYTE)", limited=True),
    Attempt("4 GB by mmap", "mmap.mmap(-1, 4 * GIGABYTE, flags=34)", limited=True),
    Attempt("4 GB in pieces", "[bytearray(GIGABYTE // 8) for _ in range(32)]", limited=True),
    Attempt("sparse file", "os.truncate(os.open('out/sparse.csv', 0o102), 40 * GIGABYTE)",
            limited=True),
    Attempt("allocated file", "os.posix_fallocate(os.open('tmp/a', 0o102), 0, GIGABYTE)",
            limited=True),
    Attempt("many descriptors", "[open('/dev/null') for _ in range(10_000)]", limited=True),
)  # fmt: skip

_RESULTS = (
    Attempt("symlink as a result", "os.symlink(SECRET, 'out/symlink.csv')"),
    Attempt("hard link as a result", "os.link(SECRET, 'out/hard.csv')"),
    Attempt("FIFO as a result", "os.mkfifo('out/fifo.csv')"),
    Attempt("device as a result", "os.mknod('out/device.csv', 0o20666, os.makedev(1, 5))"),
    Attempt("socket as a result", "os.mknod('out/socket.csv', 0o140666)"),
    Attempt("out/ itself as a link", "(os.rename('out', 'old'), os.symlink(HERE, 'out'))"),
)

_LAST = (
    Attempt("execute another program", "os.execv(sys.executable, [sys.executable, '-c', ''])"),
)  # fmt: skip

ATTEMPTS = {
    "files": FILES,
    "network": NETWORK + _PROBED_NETWORK,
    "the app": _SELF,
    "others": _OTHERS,
    "processes": _PROCESSES,
    "kernel": _KERNEL,
    "amounts": _AMOUNTS,
    "results": _RESULTS,
    "last": _LAST,
}
"""All of them by the group they stand under in the printed table, in the order they are tried."""
