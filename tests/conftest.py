"""Hypothesis: the same examples every time, no clock; a longer run is asked for by name."""

from __future__ import annotations

import os
import signal

# Before numpy is imported, as the command line has it: see assistant/cli.py.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import settings

# A shell that starts the tests in the background has them, and all that they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("BYSTANDER_HYPOTHESIS", "ci"))
