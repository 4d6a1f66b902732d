"""What the reports of all scenarios have in common: their files, how a sheet begins and ends, and the page with plots."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

from .. import claims
from ..demo.report import choices, style


def write(folder: Path, result: dict[str, Any], files: dict[str, str]) -> None:
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    for name, text in files.items():
        (folder / name).write_text(text)


def fenced(table: str) -> str:
    return f"```\n{table}\n```"


def markdown(title: str, result: dict[str, Any], settings: str, parts: list[str], *, pictures: bool = False) -> str:
    """`settings`: a sentence of what was run. `pictures`: the page has them."""
    made = result.get("made", {})
    where = f"{made.get('at', '')[:10]}, at {made.get('commit', '')}." + (" Pictures: report.html." if pictures else "")
    every = [f"# {title}", f"    {result.get('command', '')}", f"{settings} {where}", *parts]
    if result.get("claims"):
        every.append(fenced(claims.table(result["claims"])))
    return "\n\n".join(part.rstrip() for part in every) + "\n"


def page(title: str, result: dict[str, Any], colours: dict[str, str], lines: list[str], head: str, sections: str, tables: list[str]) -> str:
    """`lines`: which can be hidden. `head` and `sections` are HTML, `tables` text."""
    checked = claims.table(result["claims"]) if result.get("claims") else ""
    figures = "".join(f"<pre>{html.escape(table)}</pre>" for table in (*tables, checked))
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{html.escape(title, quote=False)}</title>
<style>{style(colours)}</style>
<h1>{html.escape(title, quote=False)}</h1>
{head}
{choices(lines)}
<main>{sections}</main>
<h2>All figures</h2>{figures}</html>
"""
