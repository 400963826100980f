"""One `pixelmill shard --stdio` process, and the frames that go in and out of it.

A frame is four bytes with the length of a JSON head, the head, and as many bytes as the head's `bytes` says.
"""

import contextlib
import itertools
import json
import logging
import struct
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import IO, Any

log = logging.getLogger(__name__)


class ProcessEnded(Exception):
    """The process ended before it answered."""


@dataclass(frozen=True)
class Output:
    """One image that the recipe makes."""

    name: str
    format: str
    extension: str
    mime: str
    width: int
    height: int
    result_id: str
    data: bytes


@dataclass(frozen=True)
class Answer:
    """What became of one image: its outputs, or an error."""

    outputs: tuple[Output, ...] = ()
    error: str | None = None
    message: str | None = None


class Process:
    """Answers any number of threads at the same time. It is over when `ended` is true, and is never started again."""

    def __init__(self, command: Sequence[str]) -> None:
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._ids = itertools.count()
        self._waiting: dict[int, Future[Answer]] = {}
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self.ended = False
        self.answers = 0
        self.last_lines: deque[str] = deque(maxlen=20)
        self._log_reader = threading.Thread(target=self._read_log, daemon=True)
        self._log_reader.start()
        threading.Thread(target=self._read_answers, daemon=True).start()

    @property
    def exit_code(self) -> int | None:
        """Negative if a signal ended it."""
        return self._child.poll()

    def convert(self, image: bytes | memoryview) -> Answer:
        """Waits for the answer. While the process has enough to do, it does not read, and this waits to write."""
        answer: Future[Answer] = Future()
        with self._lock:
            if self.ended:
                raise ProcessEnded
            number = next(self._ids)
            self._waiting[number] = answer
        head = json.dumps({"id": number, "bytes": len(image)}).encode()
        stdin = stream(self._child.stdin)
        try:
            with self._writing:
                stdin.write(struct.pack(">I", len(head)) + head)
                stdin.write(image)
                stdin.flush()
        except (OSError, ValueError):
            # Its end, which the reader of answers reports to all who wait; a process that only closed its input is ended.
            self._child.kill()
        return answer.result()

    def close(self) -> None:
        """Ends it when no thread waits for an answer."""
        # A program that only started another one ends without it: that one's input has to end too.
        with contextlib.suppress(OSError):
            stream(self._child.stdin).close()
        self._child.kill()

    def _read_answers(self) -> None:
        stdout = stream(self._child.stdout)
        try:
            while prefix := stdout.read(4):
                head = json.loads(exactly(stdout, *struct.unpack(">I", prefix)))
                body = exactly(stdout, head["bytes"])
                with self._lock:
                    answer = self._waiting.pop(head["id"])
                    self.answers += 1
                answer.set_result(answer_of(head, body))
        except Exception as error:  # Whatever is wrong with a frame, nothing after it can be understood.
            log.warning("Pixelmill sent no valid frame: %s", error)
            self._child.kill()
        self._child.wait()
        self._log_reader.join(timeout=1)
        for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
            with contextlib.suppress(OSError):
                stream(pipe).close()
        with self._lock:
            self.ended = True
            lost = list(self._waiting.values())
            self._waiting.clear()
        for each in lost:
            each.set_exception(ProcessEnded())

    def _read_log(self) -> None:
        for line in stream(self._child.stderr):
            text = line.decode(errors="replace").rstrip()
            self.last_lines.append(text)
            log.info("%s", text)


def stream(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) != size:
        raise EOFError("the process ended within a frame")
    return data


def answer_of(head: dict[str, Any], body: bytes) -> Answer:
    if error := head.get("error"):
        return Answer(error=error["code"], message=error["message"])
    outputs = []
    start = 0
    for each in head["outputs"]:
        end = start + each["bytes"]
        about = {field: each[field] for field in ("name", "format", "extension", "mime", "width", "height")}
        outputs.append(Output(**about, result_id=each["resultId"], data=body[start:end]))
        start = end
    if start != len(body):
        raise ValueError(f"{len(body)} bytes came, and the outputs have {start}")
    return Answer(tuple(outputs))
