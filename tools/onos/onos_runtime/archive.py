"""What an application archive says of itself, read without installing it."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from .errors import OnosError


@dataclass(frozen=True)
class Archive:
    path: Path
    name: str
    digest: str
    web_contexts: tuple[str, ...]

    @staticmethod
    def read(path: Path) -> Archive:
        if not path.is_file():
            raise OnosError(f"There is no application archive {path}. Maybe build it first: mvn -pl app/onos -am package.")
        content = path.read_bytes()
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as oar:
                description = oar.read("app.xml").decode()
                contexts = [c for name in oar.namelist() if name.endswith(".jar") for c in _contexts(oar.read(name))]
        except (zipfile.BadZipFile, KeyError, UnicodeDecodeError) as failure:
            raise OnosError(
                f"{path} is no ONOS application archive ({failure}). Maybe give the .oar, not the .jar, of an application."
            ) from failure
        name = re.search(r'<app\s[^>]*?name="([^"]+)"', description)
        if name is None:
            raise OnosError(f"The app.xml in {path} names no application. Maybe it was not made by onos-maven-plugin.")
        return Archive(path, name.group(1), hashlib.sha256(content).hexdigest(), tuple(contexts))


def _contexts(jar: bytes) -> list[str]:
    """Where the web bundles among the archive's jars answer."""
    try:
        with zipfile.ZipFile(io.BytesIO(jar)) as bundle:
            manifest = bundle.read("META-INF/MANIFEST.MF").decode()
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError):
        return []
    unfolded = re.sub(r"\r?\n ", "", manifest)
    return re.findall(r"^Web-ContextPath: *(\S+)", unfolded, re.M)
