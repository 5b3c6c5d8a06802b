"""The build hook: the phone page is bundled before the package is, for wheels and editable installs alike."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PhonePageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs `companion/phone/build.py`, which does nothing when the page already fits its sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects files; `dist/` is ignored by git, so it is named here."""
        phone = Path(self.root) / "companion" / "phone"
        runpy.run_path(str(phone / "build.py"))["build"](phone)
        build_data["artifacts"].append("/companion/phone/dist/**")
