"""Named arrays in one file (numpy's .npz), read as from a stranger: damaged, or made to burst.

A file of some kB can unpack to all of a machine's memory, and a changed byte can end in any of a
dozen errors of four libraries; here each becomes one that is expected.
"""

from __future__ import annotations

import io
import struct
import tokenize
import warnings
import zipfile
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

#: A learnt deck unpacks to some MB; nothing of ours comes near to this.
MOST_UNPACKED_BYTES = 256 * 2**20

#: What numpy, zipfile and zlib raise over changed bytes. MemoryError: an array's own head may claim
#: any size, whatever the file's list of contents says.
_DAMAGE = (
    ValueError,
    KeyError,
    OSError,
    EOFError,
    MemoryError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    SyntaxError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


def unpacked(data: bytes) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays in a file's bytes by name.

    Raises:
        ValueError: they are no such file, are damaged, or would unpack to more than
            `MOST_UNPACKED_BYTES`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            size = sum(member.file_size for member in packed.infolist())
        if size > MOST_UNPACKED_BYTES:
            raise ValueError(f"it would unpack to {size // 2**20} MB")
        with warnings.catch_warnings():
            # A changed head may look like an old one to numpy, which warns and reads on.
            warnings.simplefilter("ignore")
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
    except _DAMAGE as error:
        raise ValueError(f"{error or type(error).__name__}") from error
