"""What runs in an actor: a batch of rows goes in, and a row for each output comes out."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pyarrow as pa
from pyarrow import fs

from pixelmill_ray.converter import Converter, command_line
from pixelmill_ray.process import Answer, Output
from pixelmill_ray.recipe import Recipe
from pixelmill_ray.storage import Source, Target, is_key


@dataclass(frozen=True)
class Options:
    """As `convert` describes them."""

    recipe: Recipe
    image: str | None
    path: str | None
    write_to: str | None
    key: str
    prefix: str
    keep_image: bool
    renderers: int
    command: tuple[str, ...] | str | None
    source_filesystem: fs.FileSystem | None
    target_filesystem: fs.FileSystem | None


class InvalidName(Exception):
    """A key that the template made of a row would leave the target."""


class ConvertImages:
    """The callable class of `map_batches`. Several batches may be in it at the same time, so that the renderers do not
    wait from one to the next."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._source = Source(options.source_filesystem)
        self._target = Target(options.write_to, options.target_filesystem) if options.write_to else None
        self._converter = Converter(command_line(options.command), options.recipe, options.renderers)
        # A thread carries one image from its source to its target, so each waits for storage or for the process.
        waits = options.path is not None or self._target is not None
        self._threads = ThreadPoolExecutor(options.renderers * (8 if waits else 3))

    def __call__(self, batch: pa.Table) -> pa.Table:
        added = result_schema(self._options)
        kept = batch if self._options.keep_image or not self._options.image else batch.drop_columns([self._options.image])
        if taken := sorted(set(added.names) & set(kept.column_names)):
            raise ValueError(f"The dataset already has the columns {', '.join(taken)}: give convert() a prefix for its own.")
        found: list[int] = []
        results: list[dict[str, object]] = []
        for index, rows in enumerate(self._threads.map(lambda each: self._row(batch, each), range(batch.num_rows))):
            found.extend([index] * len(rows))
            results.extend(rows)
        table = kept.take(pa.array(found, pa.int64()))
        prefix = self._options.prefix
        for field in added:
            values = pa.array([row.get(field.name.removeprefix(prefix)) for row in results], field.type)
            table = table.append_column(field, values)
        return table

    def __del__(self) -> None:
        # Ray drops the object before it ends the actor; killed, the actor closes the pipe and the process ends by itself.
        if converter := getattr(self, "_converter", None):
            converter.close()

    def _row(self, batch: pa.Table, index: int) -> list[dict[str, object]]:
        try:
            image = self._image(batch, index)
        except OSError as error:
            return [failed("unreadable", str(error))]
        if image is None:
            return [failed("missing_image_file", "The row has no image.")]
        answer = self._converter.convert(memoryview(image))
        if answer.error:
            return [failed(answer.error, answer.message)]
        try:
            return list(self._results(answer, batch, index))
        except InvalidName as error:
            return [failed("invalid_name", str(error))]

    def _image(self, batch: pa.Table, index: int) -> pa.Buffer | None:
        if self._options.image:
            return batch[self._options.image][index].as_buffer()
        uri = batch[self._options.path][index].as_py()
        return self._source.read(uri) if uri else None

    def _results(self, answer: Answer, batch: pa.Table, index: int) -> Iterator[dict[str, object]]:
        keys = [self._key(output, batch, index) if self._target else "" for output in answer.outputs]
        for output, key in zip(answer.outputs, keys, strict=True):
            yield {
                "output": output.name,
                "format": output.format,
                "width": output.width,
                "height": output.height,
                "size": len(output.data),
                "result_id": output.result_id,
                **({"uri": self._target.write(key, output.data, output.mime)} if self._target else {"bytes": output.data}),
            }

    def _key(self, output: Output, batch: pa.Table, index: int) -> str:
        columns = {
            name: batch[name][index].as_py()
            for name in batch.column_names
            if "{" + name + "}" in self._options.key
        }
        key = self._options.key.format_map(
            {
                **columns,
                "result_id": output.result_id,
                "output": output.name,
                "format": output.format,
                "ext": output.extension,
            }
        )
        if not is_key(key):
            raise InvalidName(f"{key!r} is no key below the target.")
        return key


def result_schema(options: Options) -> pa.Schema:
    """The columns that are added. Declared, since a batch without errors, or of errors alone, would have others."""
    fields = [
        ("output", pa.string()),
        ("uri", pa.string()) if options.write_to else ("bytes", pa.binary()),
        ("format", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("size", pa.int64()),
        ("result_id", pa.string()),
        ("error", pa.string()),
        ("error_message", pa.string()),
    ]
    return pa.schema([(options.prefix + name, kind) for name, kind in fields])


def failed(error: str, message: str | None) -> dict[str, object]:
    return {"error": error, "error_message": message}
