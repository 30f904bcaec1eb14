"""Colours of a finished PDF turned into the inks that it is printed with.

RGB becomes cyan, magenta, yellow and black, grey becomes black alone, and on a sheet for black alone
everything does. Black text is set to overprint, so that no white edge shows where the plates do not meet.
Spot inks that the sheet asks for stay plates of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from rulewright.files import limits
from rulewright.print.colour_spaces import DEVICE, LEAST, ColourSpace, pixels_of, space_of
from rulewright.print.pdf_objects import array_items, dictionary_value, values
from rulewright.print.pdf_operators import COLOURS, PAINTS, SHOWS, iter_operators
from rulewright.schema.colours import to_cmyk

if TYPE_CHECKING:
    from PIL import Image

Ink = tuple[float, ...]

_OVER, _APART = b"/RwOverprint", b"/RwKnockout"
_BLACK: Ink = (0.0, 0.0, 0.0, 1.0)
_ASKED = PAINTS | COLOURS | {"q", "Q", "Tr"}
_QUALITY = 95


class _State(NamedTuple):
    """Graphics state of painting: colour spaces, black fill, text rendering mode and overprint."""

    fill: Object | None = None
    stroke: Object | None = None
    black: bool = True
    mode: bytes = b"0"
    over: bool = False


@dataclass
class ColourSeparation:
    """Turns the colours of one PDF into inks. `spots`: the names of the spot inks that stay."""

    pdf: Pdf
    black: bool = False
    spots: Collection[str] = ()
    done: set[tuple[int, int]] = field(default_factory=set)

    def apply(self) -> None:
        """Turn all that the pages paint."""
        for page in self.pdf.pages:
            resources = page.obj.get("/Resources")
            page.contents_coalesce()
            content = page.obj.Contents.read_bytes() if "/Contents" in page.obj else b""
            page.obj.Contents = Stream(self.pdf, b"q\n" + self._turned(content, resources) + b"\nQ")
            self._group(page.obj)
            self._resources(resources)

    def _once(self, thing: Object) -> bool:
        fresh = thing.objgen not in self.done or thing.objgen == (0, 0)
        self.done.add(thing.objgen)
        return fresh

    def _resources(self, resources: Object | None) -> None:
        if not isinstance(resources, Dictionary):
            return
        for one in values(resources, "/XObject"):
            if isinstance(one, Stream) and self._once(one):
                if one.get("/Subtype") == Name.Image:
                    self._picture(one)
                else:
                    self._group(one)
                    self._stream(one)
        for one in values(resources, "/Pattern"):
            if isinstance(one, Stream) and self._once(one):
                self._stream(one)

    def _stream(self, stream: Stream) -> None:
        resources = stream.get("/Resources")
        stream.write(self._turned(stream.read_bytes(), resources))
        self._resources(resources)

    def _group(self, of: Object) -> None:
        group = of.get("/Group")
        if isinstance(group, Dictionary) and "/CS" in group:
            group.CS = Name.DeviceCMYK

    # Content.

    def _turned(self, data: bytes, resources: Object | None) -> bytes:
        """The content of a page or a form with its colours in inks, and its black text set to overprint."""
        made: list[bytes] = []
        state, stack, last, over_is_there = _State(), list[_State](), 0, False
        for word, begin, at, end in iter_operators(data, _ASKED):
            if word == "q":
                stack.append(state)
            elif word == "Q":
                state = stack.pop() if stack else state
            elif word == "Tr":
                if (mode := data[begin:at].strip()) != state.mode:
                    state = state._replace(mode=mode)
            elif word in COLOURS:
                state, turned = self._colour(word, data[begin:at], state, resources)
                if turned is not None:
                    made += (data[last:begin], turned)
                    last = end
            else:
                over = word in SHOWS and state.black and state.mode == b"0"
                if over != state.over and isinstance(resources, Dictionary):
                    if not over_is_there:
                        self._overprint(resources)
                        over_is_there = True
                    made += (data[last:begin], b"\n%s gs" % (_OVER if over else _APART))
                    last = begin
                    state = state._replace(over=over)
        return b"".join((*made, data[last:]))

    def _overprint(self, resources: Dictionary) -> None:
        if "/ExtGState" not in resources:
            resources.ExtGState = Dictionary()
        states = resources.ExtGState
        if _OVER.decode() not in states:
            states[_OVER.decode()] = Dictionary(Type=Name.ExtGState, op=True, OP=False, OPM=1)
            states[_APART.decode()] = Dictionary(Type=Name.ExtGState, op=False, OP=False, OPM=0)

    def _colour(
        self, word: str, raw: bytes, state: _State, resources: Object | None
    ) -> tuple[_State, bytes | None]:
        """The state behind a colour and the colour in inks, None where it stays as it is."""
        side, found = ("stroke" if word[0].isupper() else "fill"), None
        own: Object | None = getattr(state, side)
        if word.lower() in DEVICE:
            found, own = self.to_inks(DEVICE[word.lower()], [float(one) for one in raw.split()]), None
        elif word in ("cs", "CS"):
            name = raw.decode("latin-1").strip()
            own = dictionary_value(resources, "/ColorSpace", name) or Name(name)
            if space_of(own).model in ("gray", "rgb", "cmyk"):
                found = _BLACK
        elif b"/" not in raw and own is not None:
            found = self.to_inks(space_of(own), [float(one) for one in raw.split()], own)
        if own is not None or getattr(state, side) is not None:
            state = state._replace(fill=own) if side == "fill" else state._replace(stroke=own)
        if side == "fill":
            black = found is not None and found[3] >= 1 - LEAST and max(found[:3]) <= LEAST
            state = state if black == state.black else state._replace(black=black)
        return state, None if found is None else _written(found, side == "fill")

    def to_inks(self, space: ColourSpace, values: Sequence[float], own: Object | None = None) -> Ink | None:
        """The inks of a colour; None for one that stays as it is."""
        if len(values) < space.count:
            return None
        found: Ink | None = None
        if space.model == "gray":
            found = (0.0, 0.0, 0.0, 1 - values[0])
        elif space.model == "rgb":
            found = to_cmyk((values[0], values[1], values[2]))
        elif space.model == "cmyk":
            found = tuple(values[:4])
        elif space.model == "spot" and (self.black or not {*space.names} & {*self.spots, "All", "None"}):
            found = _alternate(own, values)
        return _in_black(found) if found and self.black else found

    # Pictures.

    def _picture(self, source: Stream) -> None:
        """Turn a picture. One that cannot be decoded stays: the preflight tells of what is left in RGB."""
        space = space_of(source.get("/ColorSpace"))
        if bool(source.get("/ImageMask")) or "/Mask" in source:
            return
        if space.model == "gray":
            source.ColorSpace = Name.DeviceGray
            return
        if space.model != "rgb" and not (space.model == "cmyk" and self.black):
            return
        if int(source.Width) * int(source.Height) > limits.PIXELS.maximum:
            return
        photograph = source.get("/Filter") in (Name.DCTDecode, Name.JPXDecode)
        try:
            made = self._inked(pixels_of(source))
        except Exception:  # libraries raise whatever a damaged picture leads them to
            return
        if "/Decode" in source:
            del source["/Decode"]
        source.ColorSpace = Name.DeviceGray if made.mode == "L" else Name.DeviceCMYK
        source.BitsPerComponent = 8
        if photograph:
            file = BytesIO()
            made.save(file, "JPEG", quality=_QUALITY, subsampling=0)
            source.write(file.getvalue(), filter=Name.DCTDecode)
            if made.mode == "CMYK":  # Pillow writes them the way of Adobe, upside down
                source.Decode = Array([1, 0] * 4)
        else:
            source.write(made.tobytes())

    def _inked(self, picture: Image.Image) -> Image.Image:
        from PIL import Image, ImageChops

        if self.black or picture.mode in ("1", "L"):
            return picture.convert("L")
        picture = picture.convert("RGB")
        red, green, blue = picture.split()
        most = ImageChops.lighter(red, ImageChops.lighter(green, blue))
        spread = ImageChops.subtract(most, ImageChops.darker(red, ImageChops.darker(green, blue)))
        if spread.getextrema()[1] == 0:
            return red
        paper = ImageChops.invert(most)
        inks = (ImageChops.subtract(most, band) for band in (red, green, blue))
        return Image.merge("CMYK", [*inks, paper])


def _written(ink: Ink, fill: bool) -> bytes:
    return f"\n{' '.join(f'{round(part, 4):g}' for part in ink)} {'k' if fill else 'K'}".encode()


def _in_black(ink: Ink) -> Ink:
    """Inks as black alone, as light as they look."""
    cyan, magenta, yellow, key = (min(1.0, max(0.0, part)) for part in ink)
    return to_cmyk(((1 - cyan) * (1 - key), (1 - magenta) * (1 - key), (1 - yellow) * (1 - key)), black=True)


def _alternate(own: Object | None, values: Sequence[float]) -> Ink | None:
    """The process inks that stand in for a tint of a spot ink; None where no simple function tells them."""
    if len(parts := array_items(own)) != 4 or len(values) != 1:
        return None
    function = parts[3]
    if space_of(parts[2]).model != "cmyk" or dictionary_value(function, "/FunctionType") != 2:
        return None
    share = values[0] ** float(str(dictionary_value(function, "/N") or 1))
    ends = ([float(one) for one in function.get(key, [])] for key in ("/C0", "/C1"))
    return tuple(low + share * (high - low) for low, high in zip(*ends, strict=True))
