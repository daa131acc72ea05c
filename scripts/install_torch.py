"""Install the CPU build of torch into the Python that runs this; never gigabytes for a GPU.

Plain pip takes a CUDA build on Linux. So it is asked first what it would take, and where that
is a GPU build, torch comes from its makers' index of CPU builds instead.
"""

import importlib.util
import json
import subprocess
import sys

TORCH = "torch==2.13.0"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)


def brings_gpu_build() -> bool:
    asked = pip("--quiet", "--dry-run", "--report", "-", TORCH)
    if asked.returncode:
        return True
    names = [item["metadata"]["name"] for item in json.loads(asked.stdout)["install"]]
    return any(name.startswith(("nvidia", "cuda", "triton")) for name in names)


def main() -> int:
    if importlib.util.find_spec("torch"):
        return 0
    options = ["--index-url", CPU_INDEX, "--retries", "1"] if brings_gpu_build() else []
    status = pip("--quiet", *options, TORCH).returncode
    if status:
        print(f"No CPU build of {TORCH} could be had. Install one into .venv and try again.")
    return status


if __name__ == "__main__":
    sys.exit(main())
