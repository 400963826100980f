"""Hundreds of images, 2,000 every night, with two renderers, an actor killed on the way, and a damaged image."""

import os
import signal
import unittest
from collections import Counter
from typing import Any

import ray.data
from local_ray import IMAGES, RECIPE, actors, image, start
from pixelmill_ray import convert
from pixelmill_ray.converter import Converter, command_line
from pixelmill_ray.recipe import read_recipe

COUNT = 2_000 if os.environ.get("SLOW_TESTS") == "1" else 400
DAMAGED = COUNT // 3


class Kill(unittest.TestCase):
    def test_every_result_is_there_once(self) -> None:
        expected = alone()
        start()
        rows = [{"id": id, "bytes": image(id) if id != DAMAGED else image(id)[:300]} for id in range(COUNT)]
        dataset = ray.data.from_items(rows, override_num_blocks=COUNT // 20)
        results = convert(dataset, RECIPE, renderers=2, concurrency=1)

        got: list[dict[str, Any]] = []
        killed: list[int] = []
        for row in results.iter_rows():
            got.append(row)
            if len(got) >= COUNT // 7 and not killed:
                killed = actors()
                self.assertEqual(len(killed), 1)
                os.kill(killed[0], signal.SIGKILL)
        self.assertTrue(killed)

        self.assertEqual(Counter(row["id"] for row in got), Counter(range(COUNT)))
        for row in got:
            if row["id"] == DAMAGED:
                self.assertIn(row["error"], ("invalid_image", "conversion_failed"))
                self.assertIsNone(row["bytes"])
                continue
            self.assertIsNone(row["error"], row)
            self.assertTrue(row["bytes"] == expected[row["id"] % len(IMAGES)], row["id"])
            self.assertEqual((row["output"], row["format"], row["width"]), ("small", "webp", 160))
            self.assertEqual(row["size"], len(row["bytes"]))
        self.assertEqual(len({row["result_id"] for row in got}), COUNT)


def alone() -> list[bytes]:
    """What the same process makes without Ray."""
    converter = Converter(command_line(None), read_recipe(RECIPE), 2)
    try:
        return [converter.convert(each).outputs[0].data for each in IMAGES]
    finally:
        converter.close()


if __name__ == "__main__":
    unittest.main()
