"""Two folders put in each other's place at once, where the system can: at no moment is either name without a folder."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

AT_FDCWD = -100
LINUX_EXCHANGE = 2  # RENAME_EXCHANGE
MACOS_SWAP = 2  # RENAME_SWAP
NOT_HERE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM)


def exchange(first: Path, second: Path) -> bool:
    """Put each folder in the place of the other and return True; False where the system cannot, nothing is changed.

    Raises OSError when it can, but not with these.
    """
    if os.name != "posix":
        return False
    library = ctypes.CDLL(None, use_errno=True)
    a, b = os.fsencode(first), os.fsencode(second)
    if sys.platform.startswith("linux") and hasattr(library, "renameat2"):
        failed = library.renameat2(AT_FDCWD, a, AT_FDCWD, b, LINUX_EXCHANGE)
    elif sys.platform == "darwin" and hasattr(library, "renamex_np"):
        failed = library.renamex_np(a, b, MACOS_SWAP)
    else:
        return False
    if not failed:
        return True
    number = ctypes.get_errno()
    if number in NOT_HERE:
        return False
    raise OSError(number, os.strerror(number), str(second))
