"""Picture files: bytes on disk -> an upright picture of a size the reader can take.

Pillow decodes, not OpenCV: it refuses a torn file instead of greying the rest, says why on a
Python error instead of on stderr, opens names in any alphabet on Windows, and its EXIF turn does
not change from one OpenCV to the next.
"""

from __future__ import annotations

import struct
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from assistant.adapters.whole_file import refuse_special
from assistant.core.errors import DamagedError, MissingError
from assistant.vision.sighting import Corners, Picture

#: Endings of the pictures taken from a folder.
PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})

#: What is decoded, whatever a file is called: kinds that Pillow decodes by itself. Of those that it
#: hands on, one (EPS) starts Ghostscript.
_KINDS = ("JPEG", "PNG", "WEBP", "BMP", "GIF", "TIFF")

#: Colours that Pillow shrinks rightly: of a palette it would mix the numbers, if it did not refuse.
_SHRUNK_AS_THEY_ARE = frozenset({"L", "LA", "RGB", "RGBA", "CMYK"})

#: A longer side is halved until it fits: a key stays far larger than the reader needs.
LONGEST_SIDE_PX = 4096


@dataclass(frozen=True, slots=True, eq=False)
class OpenedPicture:
    """A picture, upright, and how many px of the file one of its px stands for."""

    picture: Picture
    scale: float

    def corners_in_file(self, corners: Corners | None) -> Corners | None:
        """Return corners found in the picture as px of the (upright) file."""
        if corners is None or self.scale == 1.0:
            return corners
        a, b, c, d = ((x * self.scale, y * self.scale) for x, y in corners)
        return a, b, c, d


def open_picture(path: Path) -> OpenedPicture:
    """Return the picture in a file: EXIF turn applied, 8 bits, blue-green-red, alpha dropped.

    Raises:
        MissingError: there is no such file, or it may not be read.
        DamagedError: it is no picture, is torn, or has too many px to decode.
    """
    try:
        refuse_special(path)
        with path.open("rb") as stream, warnings.catch_warnings():
            # Pillow warns from 90 million px; from 180 million it refuses, which is told below.
            warnings.simplefilter("ignore")
            return _decode(Image.open(stream, formats=_KINDS))
    except UnidentifiedImageError as error:
        raise DamagedError(f"{path}: this file is no picture") from error
    except Image.DecompressionBombError as error:
        raise DamagedError(f"{path}: the picture is too large; scale it down") from error
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error) as error:
        # The system's errors have words of their own; Pillow's are about what is in the file.
        if isinstance(error, OSError) and error.strerror:
            raise MissingError(f"{path}: {error.strerror}") from error
        raise DamagedError(f"{path}: the picture is damaged ({error})") from error


def _decode(image: Image.Image) -> OpenedPicture:
    factor = 1
    while max(image.size) / factor > LONGEST_SIDE_PX:
        factor *= 2
    width_px = image.size[0]
    if factor > 1:
        # A JPEG is decoded small at once; the rest is shrunk after.
        image.draft("RGB", (image.size[0] // factor, image.size[1] // factor))
        image.load()
        done = round(width_px / image.size[0])
        if done < factor:
            image = _to_eight_bits(image)
            if image.mode not in _SHRUNK_AS_THEY_ARE:
                image = image.convert("RGB")
            image = _with_turn(image.reduce(factor // done), image)
    scale = width_px / image.size[0]
    upright = ImageOps.exif_transpose(_to_eight_bits(image))
    rgb = np.asarray(upright.convert("RGB"))
    return OpenedPicture(np.ascontiguousarray(rgb[:, :, ::-1]), scale)


def _with_turn(small: Image.Image, original: Image.Image) -> Image.Image:
    """Return the shrunk picture with the original's EXIF, which shrinking drops."""
    small.info["exif"] = original.getexif().tobytes()
    return small


def _to_eight_bits(image: Image.Image) -> Image.Image:
    """Return a 16-bit grey picture as 8 bits (Pillow would clip, not scale); others as they are."""
    if not image.mode.startswith("I"):
        return image
    deep = np.asarray(image)
    return _with_turn(Image.fromarray(np.clip(deep >> 8, 0, 255).astype(np.uint8)), image)


def pictures_in(folder: Path) -> list[Path]:
    """Return the folder's pictures by name; not those of folders inside.

    Raises:
        MissingError: the folder cannot be listed.
        DamagedError: it holds no picture.
    """
    try:
        names = sorted(entry.name for entry in folder.iterdir() if _is_picture(entry))
    except OSError as error:
        raise MissingError(f"{folder}: {error.strerror}") from error
    if not names:
        raise DamagedError(f"{folder}: no picture in this folder (.jpg .jpeg .png .webp .bmp)")
    return [folder / name for name in names]


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in PICTURE_ENDINGS and not path.is_dir()
