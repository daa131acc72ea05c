"""What the canary tries from inside a sandbox; it is run as a job, with TARGET put in front.

The last line it prints is a JSON object: for each attempt, ``worked`` or ``refused``.
"""

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

TARGET: dict[str, Any] = globals().get("TARGET", {})


def read() -> None:
    with open(TARGET["secret"]) as file:  # noqa: PTH123
        file.read()


def write() -> None:
    with open(TARGET["secret"], "a") as file:  # noqa: PTH123
        file.write("x")


def connect(family: int, kind: int, address: Any) -> None:
    with socket.socket(family, kind) as client:
        client.settimeout(2)
        client.connect(address)
        client.send(b"x")


def environment() -> None:
    with open(f"/proc/{TARGET['pid']}/environ", "rb") as file:  # noqa: PTH123
        file.read()


def fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def attempt(action: Callable[[], object]) -> str:
    try:
        action()
    except Exception:
        return "refused"
    return "worked"


def main() -> None:
    secret, folder = TARGET["secret"], TARGET["folder"]
    attempts: dict[str, Callable[[], object]] = {
        "read": read,
        "write": write,
        "truncate": lambda: os.truncate(secret, 0),
        "list": lambda: os.listdir(folder),  # noqa: PTH208
        "create": lambda: os.mkdir(folder + "/made"),  # noqa: PTH102
        "remove": lambda: os.unlink(secret),  # noqa: PTH108
        "link": lambda: os.link(secret, "out/link"),
        "tcp": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, tuple(TARGET["tcp"])),
        "udp": lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, tuple(TARGET["tcp"])),
        "unix": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, TARGET["unix"]),
        "environment": environment,
        "signal": lambda: os.kill(TARGET["pid"], 0),
        "signal_group": lambda: os.killpg(0, signal.SIGCONT),
        "fork": fork,
        "spawn": lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {}),
    }
    found = {name: attempt(action) for name, action in attempts.items()}
    # These are answered as done: whether they were is seen from outside.
    attempt(lambda: os.chmod(secret, 0o777))  # noqa: S103, PTH101
    attempt(lambda: os.utime(secret, (1, 1)))
    thread = threading.Thread(target=lambda: found.update(thread="worked"))
    thread.start()
    thread.join()
    with open("out/probe.csv", "w") as file:  # noqa: PTH123
        file.write("a\n1\n")
    # Were it allowed, the new program would end without taking this line back.
    print(json.dumps({**found, "execute": "worked"}), flush=True)  # noqa: T201
    found["execute"] = attempt(lambda: os.execv(sys.executable, [sys.executable, "-c", ""]))  # noqa: S606
    print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    main()
