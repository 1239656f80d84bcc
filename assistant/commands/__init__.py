"""One file per command: what it takes, what it prints, its exit code."""

from __future__ import annotations

#: The system libraries that OpenCV needs on a bare Debian or Ubuntu machine.
OPENCV_APT_LINE = "sudo apt-get install -y libgl1 libglib2.0-0"
