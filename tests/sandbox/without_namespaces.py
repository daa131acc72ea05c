"""Makes the choice of a sandbox as an ordinary user to whom user namespaces are denied.

Run as a program, with a folder for the data: it puts itself into a user namespace in which no
further one may be made, as an administrator does with ``max_user_namespaces``, and as which it is
user 1000 without any capability, and prints what was tried.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path

CLONE_NEWUSER = 0x10000000
CHOICE = """
import json, os, sys
from pathlib import Path
from research.sandbox.backends import backends
from research.sandbox.canary import choose

choice = choose(backends(), Path(sys.argv[1], "scratch"), Path(sys.argv[1], "cache"))
print(json.dumps({
    "user": os.getuid(),
    "chosen": choice.backend and choice.backend.name,
    "trials": [(t.name, t.reason and t.reason.key, t.reason and t.reason.params, t.attempts)
               for t in choice.trials],
}))
"""


def main() -> None:
    user, group = os.getuid(), os.getgid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER) != 0:
        print(json.dumps({"unable": os.strerror(ctypes.get_errno())}))
        return
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"1000 {user} 1")
    Path("/proc/self/gid_map").write_text(f"1000 {group} 1")
    Path("/proc/sys/user/max_user_namespaces").write_text("0")
    # Executing as another than root leaves no capability.
    os.execv(sys.executable, [sys.executable, "-c", CHOICE, sys.argv[1]])


if __name__ == "__main__":
    main()
