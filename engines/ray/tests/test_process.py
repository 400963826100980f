"""The process of Pixelmill that an actor keeps: many images at once, its death, and what is no fault of an image."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from local_ray import IMAGES, RECIPE, image
from pixelmill_ray import CommandFailed
from pixelmill_ray.converter import Converter, command_line
from pixelmill_ray.process import Answer
from pixelmill_ray.recipe import read_recipe

# Reads one image, and ends as the first argument says: by a signal, or with an exit code.
ENDS = """
import json, os, struct, sys
pipe = sys.stdin.buffer
while prefix := pipe.read(4):
    head = json.loads(pipe.read(*struct.unpack(">I", prefix)))
    image = pipe.read(head["bytes"])
    if image.startswith(b"kill"):
        os.kill(os.getpid(), 9)
    answer = json.dumps({"id": head["id"], "bytes": 0, "error": {"code": "invalid_image", "message": "Text."}}).encode()
    sys.stdout.buffer.write(struct.pack(">I", len(answer)) + answer)
    sys.stdout.buffer.flush()
"""


class Processes(unittest.TestCase):
    def converter(self, command: list[str] | None = None, recipe: Mapping[str, Any] = RECIPE) -> Converter:
        converter = Converter(command or command_line(None), read_recipe(recipe), 2)
        self.addCleanup(converter.close)
        return converter

    def test_many_at_once_each_get_their_own_answer(self) -> None:
        converter = self.converter()
        with ThreadPoolExecutor(16) as threads:
            answers = list(threads.map(converter.convert, (image(number) for number in range(200))))
        for number, answer in enumerate(answers):
            self.assertIsNone(answer.error)
            self.assertEqual(answer.outputs[0].data, answers[number % len(IMAGES)].outputs[0].data)
        self.assertEqual(len({answer.outputs[0].result_id for answer in answers}), 200)

    def test_a_killed_process_is_replaced_and_nothing_is_lost(self) -> None:
        converter = self.converter()
        done = threading.Event()
        kills = 0

        def kill() -> None:
            nonlocal kills
            while kills < 3 and not done.wait(0.02):
                if converter._process.answers >= 50 and not converter._process.ended:
                    # A process that was killed before may be gone and not yet be known to have ended.
                    with suppress(ProcessLookupError):
                        os.kill(converter._process._child.pid, signal.SIGKILL)
                        kills += 1

        killer = threading.Thread(target=kill)
        killer.start()
        answers: list[Answer] = []
        # A killer that gets no time of the processor meanwhile finds the process at work in another round.
        with ThreadPoolExecutor(6) as threads:
            for rounds in range(1, 21):
                answers += threads.map(converter.convert, (image(number) for number in range(300)))
                if kills == 3:
                    break
        done.set()
        killer.join()
        self.assertEqual(kills, 3)
        self.assertEqual([answer.error for answer in answers], [None] * 300 * rounds)

    def test_an_image_that_ends_the_process_three_times_is_an_error_and_others_are_not(self) -> None:
        converter = self.converter([sys.executable, "-c", ENDS])
        images = [b"kill" if number == 20 else b"text" for number in range(60)]
        with ThreadPoolExecutor(6) as threads:
            answers = list(threads.map(converter.convert, images))
        errors = [answer.error for answer in answers]
        self.assertEqual(errors.pop(20), "process_died")
        self.assertEqual(errors, ["invalid_image"] * 59)
        self.assertIn("signal 9", answers[20].message or "")

    def test_a_wrong_recipe_fails_with_the_words_of_the_command(self) -> None:
        converter = self.converter(recipe={"outputs": [{"format": "nonsense"}]})
        with self.assertRaisesRegex(CommandFailed, "exit code 2:\n.*format"):
            converter.convert(image(0))

    def test_a_command_that_is_missing_or_ends_each_time_fails(self) -> None:
        with self.assertRaisesRegex(CommandFailed, "/no/pixelmill cannot be started: No such file"):
            self.converter(["/no/pixelmill"])
        ends = self.converter([sys.executable, "-c", "import sys; sys.exit('The disk is full.')"])
        with ThreadPoolExecutor(6) as threads, self.assertRaisesRegex(CommandFailed, "exit code 1:\n.*The disk is full"):
            list(threads.map(ends.convert, [b"text"] * 60))

    def test_the_process_ends_with_the_actor(self) -> None:
        script = f"""
import os, sys
from pixelmill_ray.converter import Converter, command_line
from pixelmill_ray.recipe import read_recipe
converter = Converter(command_line(None), read_recipe({RECIPE!r}), 1)
converter.convert(open(sys.argv[1], "rb").read())
print(converter._process._child.pid, flush=True)
os.kill(os.getpid(), 9)
"""
        with tempfile.NamedTemporaryFile() as file:
            file.write(image(0))
            file.flush()
            child = subprocess.run([sys.executable, "-c", script, file.name], capture_output=True, text=True)
        pid = int(child.stdout)
        for _ in range(600):
            if not Path(f"/proc/{pid}/cmdline").exists() or not Path(f"/proc/{pid}/cmdline").read_bytes():
                return
            time.sleep(0.1)
        self.fail("the process goes on without its actor")


if __name__ == "__main__":
    unittest.main()
