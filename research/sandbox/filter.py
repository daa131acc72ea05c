"""The system calls a worker may make, as a seccomp program.

This is a list of what is allowed: every other call is answered "no such call", so one that a later
kernel adds, or that the installed libseccomp cannot name, is closed as well.
"""

from __future__ import annotations

import errno
import tempfile

# What numpy, pandas, pyarrow and plotly need to compute and to use files.
_ALLOWED = """
    read write readv writev pread64 pwrite64 preadv preadv2 pwritev pwritev2 lseek sendfile
    copy_file_range open openat openat2 close close_range dup dup2 dup3 pipe pipe2 eventfd2
    stat lstat fstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink
    readlinkat getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename
    renameat renameat2 truncate ftruncate fallocate fadvise64 fsync fdatasync flock umask
    mmap munmap mprotect mremap madvise brk msync mincore
    futex futex_waitv set_robust_list get_robust_list set_tid_address rseq membarrier
    sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_min
    sched_get_priority_max getpriority getcpu
    getpid getppid gettid getpgrp getpgid getsid getuid geteuid getgid getegid getresuid getresgid
    getgroups arch_prctl getrlimit getrusage times sysinfo uname getrandom
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait
    sigaltstack pause alarm setitimer getitimer restart_syscall wait4 waitid
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
    epoll_pwait2 exit exit_group
"""

# Refused by name, because "not permitted" tells the code's author more than "no such call".
_FORBIDDEN = """
    fork vfork socket socketpair connect bind listen accept accept4 sendto sendmsg recvfrom recvmsg
    kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal ptrace
    process_vm_readv process_vm_writev link linkat symlink symlinkat mknod mknodat
    setuid setgid setreuid setregid setresuid setresgid setgroups setsid setpgid
"""

# Landlock does not govern these: they would reach any file of the same user. Answered as done, so
# that libraries which tidy up after themselves go on.
_WITHOUT_EFFECT = """
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes utimensat futimesat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
"""

_NO_ATTRIBUTES = "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr"

_EXECUTE = "execve execveat"

_LOCK_IN = "seccomp capset"

_CLONE_THREAD = 0x00010000
_CLONE_NAMESPACES = 0x7E020080
# F_SETOWN and F_SETSIG are missing on purpose: they make the kernel send signals to others.
_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
_PRCTL = (15, 16)
"""PR_SET_NAME, PR_GET_NAME."""


def seccomp_program(*, starting: bool = False) -> bytes:
    """The filter as the kernel takes it: an array of ``struct sock_filter``.

    Args:
        starting: Make the wider one, under which a worker can be executed and can put itself
            under the strict one.

    Raises:
        ImportError: pyseccomp is missing.
        RuntimeError: The system's libseccomp is missing.
        OSError: libseccomp refused a rule.
    """
    import pyseccomp as sc

    rules = sc.SyscallFilter(sc.ERRNO(errno.ENOSYS))
    rules.set_attr(sc.Attr.ACT_BADARCH, sc.KILL_PROCESS)
    answers = {
        _ALLOWED: sc.ALLOW,
        _FORBIDDEN: sc.ERRNO(errno.EPERM),
        _WITHOUT_EFFECT: sc.ERRNO(0),
        _NO_ATTRIBUTES: sc.ERRNO(errno.ENOTSUP),
        _EXECUTE: sc.ALLOW if starting else sc.ERRNO(errno.EPERM),
        _LOCK_IN: sc.ALLOW if starting else sc.ERRNO(errno.EPERM),
    }
    for names, answer in answers.items():
        for name in names.split():
            number = sc.resolve_syscall(sc.Arch.NATIVE, name)
            if number >= 0:  # else another architecture's, or newer than libseccomp: stays closed
                rules.add_rule(answer, number)

    # Threads, but neither processes nor namespaces.
    thread = _CLONE_THREAD | _CLONE_NAMESPACES
    rules.add_rule(sc.ALLOW, "clone", sc.Arg(0, sc.MASKED_EQ, thread, _CLONE_THREAD))
    rules.add_rule(sc.ERRNO(errno.EPERM), "clone", sc.Arg(0, sc.MASKED_EQ, _CLONE_THREAD, 0))
    # A process may read its own limits and tighten them.
    rules.add_rule(sc.ALLOW, "prlimit64", sc.Arg(0, sc.EQ, 0))
    for command in _FCNTL:
        rules.add_rule(sc.ALLOW, "fcntl", sc.Arg(1, sc.EQ, command))
    for command in _IOCTL:
        rules.add_rule(sc.ALLOW, "ioctl", sc.Arg(1, sc.EQ, command))
    if starting:
        rules.add_rule(sc.ALLOW, "prctl")
    else:
        for command in _PRCTL:
            rules.add_rule(sc.ALLOW, "prctl", sc.Arg(0, sc.EQ, command))

    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
