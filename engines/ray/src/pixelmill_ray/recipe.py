"""A recipe and the files that its steps name, which every actor needs."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelmill_ray.storage import is_key


@dataclass(frozen=True)
class Recipe:
    text: str
    files: tuple[tuple[str, bytes], ...]

    def write_to(self, folder: Path) -> Path:
        """Returns the path of the recipe; Pixelmill looks for its files beside it."""
        for name, content in self.files:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        path = folder / "recipe.json"
        path.write_text(self.text, encoding="utf-8")
        return path


def read_recipe(recipe: Mapping[str, Any] | str | os.PathLike[str]) -> Recipe:
    if isinstance(recipe, Mapping):
        value, folder = recipe, Path()
    else:
        value, folder = json.loads(Path(recipe).read_text(encoding="utf-8")), Path(recipe).parent
    names = sorted(set(file_names(value)))
    if wrong := [name for name in names if not is_key(name) or name == "recipe.json"]:
        raise ValueError(f"The file {wrong[0]!r} of the recipe must be beside it, and may not be called recipe.json.")
    return Recipe(json.dumps(value), tuple((name, (folder / name).read_bytes()) for name in names))


def file_names(value: object) -> Iterator[str]:
    """Of watermarks, wherever they stand."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key == "watermark" and isinstance(each, Mapping) and isinstance(each.get("image"), str):
                yield each["image"]
            yield from file_names(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from file_names(each)
