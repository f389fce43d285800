# SPDX-License-Identifier: GPL-2.0-only
"""``python -m linux_tcp``: the command line."""

import sys

from .cli import main

sys.exit(main())
