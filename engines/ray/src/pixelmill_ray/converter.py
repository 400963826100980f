"""Keeps a process running, and decides what its end means for the images in it."""

import os
import shlex
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from pixelmill_ray.process import Answer, Process, ProcessEnded
from pixelmill_ray.recipe import Recipe

# An image that was in the process each time it ended is taken to be the cause.
DEATHS_OF_AN_IMAGE = 3
# Images do not end so many processes one after the other: the command itself does not work.
STARTS_WITHOUT_ANSWER = 10
# Contract of the command: a wrong argument or recipe, or a start that is not possible.
CANNOT_START = 2


class CommandFailed(RuntimeError):
    """`pixelmill shard` cannot work at all: no image is to blame."""


def command_line(command: str | Sequence[str] | None) -> list[str]:
    """What runs Pixelmill: the argument, or the environment of the actor, or `pixelmill` on its path."""
    chosen = command or os.environ.get("PIXELMILL_COMMAND") or "pixelmill"
    return shlex.split(chosen) if isinstance(chosen, str) else list(chosen)


class Converter:
    """Answers any number of threads at the same time, and raises only CommandFailed."""

    def __init__(self, command: Sequence[str], recipe: Recipe, renderers: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pixelmill-")
        path = recipe.write_to(Path(self._folder.name))
        self._command = [*command, "shard", "--stdio", "--recipe", str(path), "--jobs", str(renderers)]
        self._lock = threading.Lock()
        self._suspects = threading.Lock()
        self._starts_without_answer = 0
        self._process = self._start()

    def convert(self, image: bytes | memoryview) -> Answer:
        try:
            return self._running().convert(image)
        except ProcessEnded:
            pass
        # One at a time, so that an image does not share all its deaths with the one that causes them.
        with self._suspects:
            for _ in range(DEATHS_OF_AN_IMAGE - 1):
                process = self._running()
                try:
                    return process.convert(image)
                except ProcessEnded:
                    continue
        return Answer(
            error="process_died",
            message=f"The process of Pixelmill ended {DEATHS_OF_AN_IMAGE} times with this image, the last time with {ending(process)}.",
        )

    def close(self) -> None:
        self._process.close()
        self._folder.cleanup()

    def _running(self) -> Process:
        with self._lock:
            ended = self._process
            if not ended.ended:
                return ended
            if ended.answers:
                self._starts_without_answer = 0
            self._starts_without_answer += 1
            if ended.exit_code == CANNOT_START or self._starts_without_answer > STARTS_WITHOUT_ANSWER:
                lines = "\n".join(ended.last_lines)
                raise CommandFailed(f"{shlex.join(self._command)} ended with {ending(ended)}:\n{lines}")
            self._process = self._start()
            return self._process

    def _start(self) -> Process:
        try:
            return Process(self._command)
        except OSError as error:
            raise CommandFailed(
                f"{self._command[0]} cannot be started: {error.strerror}. "
                "Install Pixelmill where the actors run, or name it with command= or PIXELMILL_COMMAND."
            ) from error


def ending(process: Process) -> str:
    code = process.exit_code
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
