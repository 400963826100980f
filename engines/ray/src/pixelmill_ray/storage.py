"""Folders and buckets: where rows with a path are read from, and where results are written to."""

import os
import threading
import uuid
from pathlib import PurePosixPath

import pyarrow as pa
from pyarrow import fs


class Source:
    """Reads what the rows name."""

    def __init__(self, filesystem: fs.FileSystem | None = None) -> None:
        self._given = filesystem
        self._opened: dict[str, fs.FileSystem] = {}
        self._lock = threading.Lock()

    def read(self, uri: str) -> pa.Buffer:
        filesystem, path = self._find(uri)
        with filesystem.open_input_file(path) as file:
            return file.read_buffer()

    def _find(self, uri: str) -> tuple[fs.FileSystem, str]:
        scheme, separator, rest = uri.partition("://")
        if self._given:
            return self._given, rest if separator else uri
        if not separator:
            return fs.LocalFileSystem(), os.path.abspath(uri)
        # To open a bucket takes a request; each has its own region.
        root = f"{scheme}://{rest.partition('/')[0]}"
        with self._lock:
            if root not in self._opened:
                self._opened[root] = fs.FileSystem.from_uri(root)[0]
            return self._opened[root], rest


class Target:
    """Writes results below a folder or a prefix of a bucket. To write a key again replaces it as a whole."""

    def __init__(self, uri: str, filesystem: fs.FileSystem | None = None) -> None:
        scheme, separator, rest = uri.partition("://")
        path, _, query = rest.partition("?") if separator else (uri, "", "")
        if filesystem is None and not separator:
            filesystem, path = fs.LocalFileSystem(), os.path.abspath(uri)
        if filesystem is None:
            # One request for a small object, where a multipart upload takes three.
            options = "&".join(each for each in (query, "allow_delayed_open=true" if scheme == "s3" else "") if each)
            filesystem = fs.FileSystem.from_uri(f"{scheme}://{path}?{options}" if options else f"{scheme}://{path}")[0]
        self._filesystem = filesystem
        self._root = path.rstrip("/")
        self._prefix = f"{scheme}://{self._root}" if separator else self._root
        self._local = isinstance(self._filesystem, fs.LocalFileSystem)

    def write(self, key: str, data: bytes, mime: str) -> str:
        path = f"{self._root}/{key}"
        if not self._local:
            # An object appears when its stream is closed.
            with self._filesystem.open_output_stream(path, metadata={"Content-Type": mime}) as file:
                file.write(data)
        else:
            self._filesystem.create_dir(str(PurePosixPath(path).parent), recursive=True)
            unfinished = f"{path}.{uuid.uuid4().hex}.part"
            with self._filesystem.open_output_stream(unfinished) as file:
                file.write(data)
            self._filesystem.move(unfinished, path)
        return f"{self._prefix}/{key}"


def is_key(key: str) -> bool:
    """Whether it stays below the target."""
    return bool(key) and "\0" not in key and all(part not in ("", ".", "..") for part in key.split("/"))
