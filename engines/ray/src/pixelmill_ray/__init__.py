"""Converts the images of a Ray dataset with Pixelmill."""

from pixelmill_ray.convert import convert
from pixelmill_ray.converter import CommandFailed

__all__ = ["CommandFailed", "convert"]
