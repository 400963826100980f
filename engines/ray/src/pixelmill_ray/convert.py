"""The function of this package."""

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

import ray
from pyarrow import fs
from ray.data import ActorPoolStrategy, Dataset

from pixelmill_ray.actor import ConvertImages, Options
from pixelmill_ray.recipe import read_recipe

log = logging.getLogger(__name__)


def convert(
    dataset: Dataset,
    recipe: Mapping[str, Any] | str | os.PathLike[str],
    *,
    image: str = "bytes",
    path: str | None = None,
    write_to: str | None = None,
    key: str = "{result_id}.{ext}",
    prefix: str = "",
    keep_image: bool = False,
    renderers: int = 1,
    concurrency: int | tuple[int, int] | None = None,
    batch_size: int = 16,
    command: str | Sequence[str] | None = None,
    source_filesystem: fs.FileSystem | None = None,
    target_filesystem: fs.FileSystem | None = None,
    **map_batches: Any,
) -> Dataset:
    """Convert the image of each row by a recipe.

    The result has a row for each output of each image: the columns of its row, without the image, and `output` (its
    name), `bytes`, `format`, `width`, `height`, `size` and `result_id`. An image that cannot be converted is one row
    with `error`, an identifier, and `error_message`; they are null in all other rows.

    Args:
        dataset: Rows with an image each, or with the path of one.
        recipe: A recipe, or the path of a JSON file with one: docs/recipes.md. Files that its steps name are beside that
            file, or in the working directory; they are read once, here.
        image: The column with the bytes of the image.
        path: The column with the path or URI of the image, in place of `image`. The actors read it.
        write_to: A folder that all nodes share, or a URI such as `s3://bucket/prefix`. Results are written there, and
            the rows have `uri` in place of `bytes`.
        key: Where below `write_to`. It may name `result_id`, which is different for each output and the same whenever
            the same image is converted by the same recipe, `output`, `format`, `ext` (of its files) and any column.
        prefix: Of the columns that are added, for datasets which have columns of these names.
        keep_image: Whether the rows keep the column with the image.
        renderers: Of each actor's process. The actor reserves as many CPUs. Fewer actors with more renderers need less
            memory, and more actors fit better into what is left of a node.
        concurrency: The number of actors, or the fewest and the most. Without it there are as many as find room. Leave
            a CPU for the tasks that read the dataset.
        batch_size: Rows of a batch. An actor whose node is lost repeats at most the batches in it.
        command: What runs Pixelmill; otherwise the environment's PIXELMILL_COMMAND, or `pixelmill`.
        source_filesystem: Where `path` leads, if the URI does not say all.
        target_filesystem: Where `write_to` leads, if the URI does not say all.
        map_batches: Other arguments of `Dataset.map_batches`, such as `memory`, `resources` and `runtime_env`.
    """
    options = Options(
        recipe=read_recipe(recipe),
        image=None if path else image,
        path=path,
        write_to=from_here(write_to) if write_to and not target_filesystem else write_to,
        key=key,
        prefix=prefix,
        keep_image=keep_image,
        renderers=renderers,
        command=command if command is None or isinstance(command, str) else tuple(command),
        source_filesystem=source_filesystem,
        target_filesystem=target_filesystem,
    )
    pool = actors(concurrency)
    arguments = {"num_cpus": renderers, **map_batches}
    warn_of_no_room(pool.min_size * arguments["num_cpus"])
    return dataset.map_batches(
        ConvertImages,
        fn_constructor_args=(options,),
        batch_format="pyarrow",
        batch_size=batch_size,
        compute=pool,
        **arguments,
    )


def from_here(target: str) -> str:
    """Actors have other working directories."""
    return target if "://" in target else os.path.abspath(target)


def actors(concurrency: int | tuple[int, int] | None) -> ActorPoolStrategy:
    fewest, most = concurrency if isinstance(concurrency, tuple) else (concurrency or 1, concurrency)
    # Two batches at a time in an actor: while the last images of one are in the renderers, the next one comes in.
    return ActorPoolStrategy(
        min_size=fewest, max_size=most, max_concurrent_calls_per_actor=2, enable_true_multi_threading=True
    )


def warn_of_no_room(reserved: float) -> None:
    """Ray does not start the tasks that read a dataset while actors have all CPUs, and the actors wait for what is read."""
    available = ray.cluster_resources().get("CPU", 0)  # type: ignore[no-untyped-call]
    if reserved > available - 1:
        log.warning(
            "The actors reserve %g CPUs of %g in this cluster. A dataset that is yet to be read needs one more: "
            "use fewer actors or renderers, or add nodes.",
            reserved,
            available,
        )
