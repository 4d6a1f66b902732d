"""What every page of the docs keeps to: lines that a diff can show, and links that lead somewhere."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Pages that come from the code have a line for each thing, however long.
GENERATED = "docs/reference/"
MOST_CHARACTERS = 120
LINK = re.compile(r"\]\(([^()\s]+)\)")
PAGES = sorted(
    pathlib.Path(name) for name in subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
)


def prose(page: pathlib.Path):
    """Each line with its number that is no code, fenced or indented."""
    fenced = False
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, line


def anchors(page: pathlib.Path) -> set[str]:
    """What a page's headings are called in links, as GitHub names them."""
    headings = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#")) for _, line in prose(page) if re.match("#+ ", line)]
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [page for page in PAGES if not str(page).startswith(GENERATED)], ids=str)
def test_lines_of_prose_have_at_most_120_characters(page):
    long = [f"{page}:{number}" for number, line in prose(page) if len(line) > MOST_CHARACTERS and not line.lstrip().startswith("|")]
    assert not long, "Maybe break these lines; rows of tables may be longer."


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_to_files_and_headings_that_are_there(page):
    lost = []
    for number, line in prose(page):
        for link in LINK.findall(re.sub("`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, heading = link.partition("#")
            target = (page.parent / name) if name else page
            there = ROOT / target
            if not there.exists() or (heading and heading not in anchors(target)):
                lost.append(f"{page}:{number}: {link}")
    assert not lost
