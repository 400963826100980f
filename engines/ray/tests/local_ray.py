"""A Ray of this machine alone, and images that differ from each other. TEST_IMAGES is a folder of JPEGs."""

import atexit
import contextlib
import os
import shutil
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path

import ray
import ray.data

IMAGES = [path.read_bytes() for path in sorted(Path(os.environ["TEST_IMAGES"]).glob("*.jpg"))]
RECIPE = {
    "steps": [{"resize": {"width": 160, "enlarge": False}}],
    "outputs": [{"name": "small", "format": "webp", "quality": 70}],
}


def start() -> None:
    """For all tests of this process, in a working directory that the workers share with it."""
    if ray.is_initialized():
        return
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # The paths of Ray's sockets may not be long.
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    atexit.register(stop, folder)
    os.chdir(folder)
    for tries_left in (2, 1, 0):
        try:
            ray.init(
                num_cpus=2,
                include_dashboard=False,
                # Loopback: 127.0.0.1 itself would be replaced by the address of a network card.
                _node_ip_address="127.0.0.2",
                _temp_dir=folder,
                object_store_memory=512 << 20,
                configure_logging=False,
                log_to_driver=False,
            )
            break
        except Exception:  # Ray gives itself 30 s, which a machine with much else to do does not always keep.
            ray.shutdown()
            if not tries_left:
                raise
    ray.data.DataContext.get_current().enable_progress_bars = False


def stop(folder: str) -> None:
    ray.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


def image(number: int) -> bytes:
    """One of IMAGES, with a comment that makes it a file of its own and is not in the result."""
    original = IMAGES[number % len(IMAGES)]
    comment = f"number {number}".encode()
    return original[:2] + b"\xff\xfe" + struct.pack(">H", len(comment) + 2) + comment + original[2:]


def actors() -> list[int]:
    """The processes of actors that this process started, by way of its raylet."""
    own = os.getpid()
    return [pid for pid, words in processes() if words.startswith("ray::MapWorker") and own in ancestors(pid)]


def processes() -> Iterator[tuple[int, str]]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        # Others end while they are listed.
        with contextlib.suppress(OSError):
            yield int(path.parent.name), path.read_bytes().replace(b"\0", b" ").decode(errors="replace")


def ancestors(pid: int) -> list[int]:
    found: list[int] = []
    while pid > 1:
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except FileNotFoundError:
            break
        found.append(pid)
    return found
