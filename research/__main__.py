"""The command line: the same engine without a browser."""

from __future__ import annotations

import sys

from research.cli.main import main

sys.exit(main())
