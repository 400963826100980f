"""Where rows come from, what is in the rows that come out, and where results are written to."""

import os
import tempfile
import unittest
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
import ray
import ray.data
from local_ray import IMAGES, RECIPE, image, start
from pixelmill_ray import convert
from pyarrow import fs
from ray.data import Dataset

COLUMNS = ["output", "bytes", "format", "width", "height", "size", "result_id", "error", "error_message"]
TWO = {"outputs": [{"name": "a", "format": "jpeg"}, {"name": "b", "format": "png", "steps": [{"resize": {"width": 20}}]}]}


def setUpModule() -> None:
    start()


class Rows(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def photos(self) -> Path:
        photos = self.folder / "photos"
        photos.mkdir()
        for number in range(12):
            (photos / f"{number:02} ä#?.jpg").write_bytes(image(number))
        return photos

    def rows(self, dataset: Dataset, recipe: Any = RECIPE, **options: Any) -> list[dict[str, Any]]:
        return list(convert(dataset, recipe, **options).iter_rows())

    def test_parquet(self) -> None:
        table = pa.table({"sku": list("abcdefghij"), "photo": [image(number) for number in range(10)]})
        for part in (0, 5):
            pq.write_table(table.slice(part, 5), self.folder / f"{part}.parquet")
        results = convert(ray.data.read_parquet(str(self.folder)), RECIPE, image="photo")
        rows = sorted(results.iter_rows(), key=lambda row: str(row["sku"]))
        self.assertEqual("".join(row["sku"] for row in rows), "abcdefghij")
        self.assertEqual(list(rows[0]), ["sku", *COLUMNS])
        self.assertEqual({row["error"] for row in rows}, {None})

    def test_binary_files(self) -> None:
        rows = self.rows(ray.data.read_binary_files(str(self.photos()), include_paths=True), keep_image=False)
        self.assertEqual(len({row["path"] for row in rows}), 12)
        self.assertEqual({row["error"] for row in rows}, {None})

    def test_paths_are_read_by_the_actors(self) -> None:
        paths = [str(path) for path in sorted(self.photos().iterdir())]
        rows = self.rows(ray.data.from_items([{"path": path} for path in [*paths, "/no/such.jpg", str(self.folder)]]), path="path")
        self.assertEqual([row["error"] for row in rows[:12]], [None] * 12)
        self.assertEqual([row["error"] for row in rows[12:]], ["unreadable"] * 2)
        self.assertIn("/no/such.jpg", rows[12]["error_message"])

    def test_errors_are_rows_and_types_do_not_depend_on_them(self) -> None:
        dataset = ray.data.from_items([{"id": 0, "bytes": None}, {"id": 1, "bytes": b""}, {"id": 2, "bytes": b"text"}])
        results = convert(dataset, RECIPE).materialize()
        self.assertEqual(
            [row["error"] for row in results.iter_rows()],
            ["missing_image_file", "invalid_image", "invalid_image_type"],
        )
        types = dict(zip(results.schema().names, results.schema().types, strict=True))
        self.assertEqual((types["bytes"], types["width"], types["error"]), (pa.binary(), pa.int32(), pa.string()))

    def test_a_row_for_each_output(self) -> None:
        rows = self.rows(ray.data.from_items([{"id": id, "bytes": image(id)} for id in range(5)]), TWO)
        self.assertEqual([(row["id"], row["output"]) for row in rows], [(id, name) for id in range(5) for name in "ab"])
        self.assertEqual({row["width"] for row in rows if row["output"] == "b"}, {20})
        self.assertEqual({row["bytes"][:4] for row in rows if row["output"] == "b"}, {b"\x89PNG"})

    def test_columns_of_the_same_name_need_a_prefix(self) -> None:
        dataset = ray.data.from_items([{"width": 7, "bytes": image(0)}])
        with self.assertRaisesRegex(Exception, "already has the columns width: give convert\\(\\) a prefix"):
            self.rows(dataset)
        [row] = self.rows(dataset, prefix="new_", keep_image=True)
        self.assertEqual((row["width"], row["new_width"], row["bytes"]), (7, 160, image(0)))

    def test_a_wrong_recipe_fails_the_job(self) -> None:
        with self.assertRaisesRegex(Exception, "ended with exit code 2"):
            self.rows(ray.data.from_items([{"bytes": image(0)}]), {"outputs": [{"format": "nonsense"}]})

    def test_a_folder_and_again(self) -> None:
        dataset = ray.data.from_items([{"id": id, "bytes": image(id)} for id in range(6)])
        for _ in range(2):
            rows = self.rows(dataset, TWO, write_to=str(self.folder / "out"), key="{output}/{id}-{result_id}.{ext}")
            files = sorted(str(path) for path in (self.folder / "out").rglob("*") if path.is_file())
            self.assertEqual(sorted(row["uri"] for row in rows), files)
            self.assertEqual(len(files), 12)
        self.assertEqual({Path(row["uri"]).stat().st_size - row["size"] for row in rows}, {0})

    def test_no_key_leaves_the_folder(self) -> None:
        dataset = ray.data.from_items([{"id": "../../x", "bytes": image(0)}, {"id": "x", "bytes": image(1)}])
        rows = self.rows(dataset, write_to=str(self.folder / "out"), key="{id}.webp")
        self.assertEqual([row["error"] for row in rows], ["invalid_name", None])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out"])

    @unittest.skipUnless("TEST_S3_ENDPOINT" in os.environ, "TEST_S3_ENDPOINT is not set")
    def test_a_bucket(self) -> None:
        id, secret = os.environ["TEST_S3_KEY"].split(":")
        scheme, _, host = os.environ["TEST_S3_ENDPOINT"].partition("://")
        bucket = f"ray-{os.getpid()}"
        account = {"access_key": id, "secret_key": secret, "endpoint_override": host, "scheme": scheme, "region": "us-east-1"}
        store = fs.S3FileSystem(**account, allow_bucket_creation=True)
        store.create_dir(bucket)
        for number in range(6):
            with store.open_output_stream(f"{bucket}/in/{number} ä.jpg") as file:
                file.write(image(number))
        dataset = ray.data.from_items([{"uri": f"s3://{bucket}/in/{number} ä.jpg"} for number in [*range(6), 99]])
        query = f"region=us-east-1&scheme={scheme}&endpoint_override={quote(host)}"
        for target in ({"target_filesystem": store}, {"write_to": f"s3://{id}:{secret}@{bucket}/out/?{query}"}):
            rows = self.rows(
                dataset, path="uri", prefix="new_", source_filesystem=store, **{"write_to": f"s3://{bucket}/out", **target}
            )
            self.assertEqual([row["new_error"] for row in rows], [None] * 6 + ["unreadable"])
            for row in rows[:6]:
                self.assertRegex(row["new_uri"], f"^s3://{bucket}/out/[0-9a-f]+\\.webp$")
                info = store.get_file_info(row["new_uri"].removeprefix("s3://"))
                self.assertEqual(info.size, row["new_size"])
        self.assertEqual(len(store.get_file_info(fs.FileSelector(f"{bucket}/out"))), 6)


if __name__ == "__main__":
    unittest.main()
