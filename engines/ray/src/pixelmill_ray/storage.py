"""Folders and buckets: where rows with a path are read from, and where results are written to."""

import os
import threading
import uuid
from dataclasses import dataclass
from pathlib import PurePosixPath

import pyarrow as pa
from pyarrow import fs

# Of another S3 server, as the tools of AWS read it.
ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")


@dataclass(frozen=True)
class Place:
    """A path or URI. Keys of buckets have any characters, which pyarrow's own URIs do not."""

    scheme: str
    # With what is before the bucket, such as credentials.
    authority: str
    path: str

    @classmethod
    def of(cls, text: str) -> "Place":
        scheme, separator, rest = text.partition("://")
        if not separator:
            return cls("", "", text)
        authority, _, key = rest.partition("/")
        bucket = authority.rpartition("@")[2]
        return cls(scheme, authority, f"{bucket}/{key}".rstrip("/"))

    @property
    def is_local(self) -> bool:
        return self.scheme in ("", "file")

    def open(self, query: str = "") -> fs.FileSystem:
        if self.is_local:
            return fs.LocalFileSystem()
        if self.scheme == "s3":
            # One request for a small object, where a multipart upload takes three.
            query = "&".join(each for each in (query, "allow_delayed_open=true") if each)
            if "endpoint_override=" in query or any(name in os.environ for name in ENDPOINTS):
                # Other servers may not know the checksums that clients of Amazon's add by default.
                os.environ.setdefault("AWS_REQUEST_CHECKSUM_CALCULATION", "WHEN_REQUIRED")
        root = f"{self.scheme}://{self.authority}"
        return fs.FileSystem.from_uri(f"{root}?{query}" if query else root)[0]


class Source:
    """Reads what the rows name."""

    def __init__(self, filesystem: fs.FileSystem | None = None) -> None:
        self._given = filesystem
        self._opened: dict[tuple[str, str], fs.FileSystem] = {}
        self._lock = threading.Lock()

    def read(self, uri: str) -> pa.Buffer:
        place = Place.of(uri)
        path = os.path.abspath(place.path) if place.is_local and not self._given else place.path
        with (self._given or self._find(place)).open_input_file(path) as file:
            return file.read_buffer()

    def _find(self, place: Place) -> fs.FileSystem:
        # To open a bucket takes a request; each has its own region.
        with self._lock:
            root = (place.scheme, place.authority)
            if root not in self._opened:
                self._opened[root] = place.open()
            return self._opened[root]


class Target:
    """Writes results below a folder or a prefix of a bucket. To write a key again replaces it as a whole."""

    def __init__(self, uri: str, filesystem: fs.FileSystem | None = None) -> None:
        address, _, query = uri.partition("?") if "://" in uri else (uri, "", "")
        place = Place.of(address)
        self._filesystem = filesystem or place.open(query)
        self._local = isinstance(self._filesystem, fs.LocalFileSystem)
        self._root = os.path.abspath(place.path) if self._local else place.path
        self._prefix = self._root if place.is_local else f"{place.scheme}://{self._root}"

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
