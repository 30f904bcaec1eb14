"""Gradients of drawings in the inks of a press: the engine writes them in the colours of a screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.model.colours import amounts


def ink_gradients(pdf: Any, black: bool) -> None:
    """Turn every gradient of an unfinished document into cyan, magenta, yellow and black, or black alone.

    Between two inks it runs straight, as it did between two colours.
    """
    for shading in list(_shadings(pdf.objects, set())):
        space = shading["ColorSpace"]
        if space in ("/DeviceGray", "/DeviceCMYK"):
            continue
        for function in _functions(shading["Function"]):
            for end in ("C0", "C1"):
                red, green, blue = (min(1.0, max(0.0, float(part))) for part in function[end])
                function[end][:] = amounts((red, green, blue), black)
        shading["ColorSpace"] = "/DeviceCMYK"


def _shadings(held: Any, seen: set[int]) -> Iterator[Any]:
    """The shadings among some objects and all that they hold."""
    for one in held:
        if id(one) in seen or isinstance(one, str | bytes | int | float):
            continue
        seen.add(id(one))
        if isinstance(one, dict):
            if "ShadingType" in one:
                yield one
            yield from _shadings(one.values(), seen)
        elif isinstance(one, list):
            yield from _shadings(one, seen)
        elif hasattr(one, "extra"):
            yield from _shadings(one.extra.values(), seen)


def _functions(function: Any) -> Iterator[Any]:
    """The functions that run from one colour to the next."""
    if function["FunctionType"] == 3:
        for inner in function["Functions"]:
            yield from _functions(inner)
    else:
        yield function
