"""The programs of README.md, as they stand there."""

import contextlib
import io
import json
import os
import re
import unittest
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import ray.data
from local_ray import RECIPE, image, start

PROGRAMS = re.findall(r"```python\n(.*?)```", (Path(__file__).parents[1] / "README.md").read_text(), re.DOTALL)


class Readme(unittest.TestCase):
    def test_programs(self) -> None:
        self.assertEqual(len(PROGRAMS), 2)
        start()
        Path("photos").mkdir()
        for number in range(5):
            Path(f"photos/{number}.jpg").write_bytes(image(number))
        pq.write_table(pa.table({"sku": ["a", "b", "c"], "photo": [image(0), b"text", image(2)]}), "products.parquet")
        Path("thumb.json").write_text(json.dumps(RECIPE))
        names: dict[str, object] = {}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            for program in PROGRAMS:
                exec(program, names)
        results = ray.data.read_parquet(os.path.abspath("results")).take_all()
        self.assertEqual(sorted(row["output"] for row in results), ["large"] * 5 + ["thumb"] * 5)
        self.assertEqual({Path(row["uri"]).stat().st_size - row["size"] for row in results}, {0})
        thumbs = ray.data.read_parquet(os.path.abspath("thumbs")).take_all()
        self.assertEqual(sorted(row["sku"] for row in thumbs), ["a", "c"])
        self.assertRegex(out.getvalue(), r"^b invalid_image_type \w")


if __name__ == "__main__":
    unittest.main()
