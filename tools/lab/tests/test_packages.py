"""The lab's packages, as the Java rooms': none too large to look through, and none that needs who needs it."""

import ast
import graphlib
from pathlib import Path

from paceline_lab.checkout import LAB

PACKAGE = LAB / "paceline_lab"
# As the rooms' `PackageRules`, without `__init__`.
MOST_FILES = 20


def needs(file: Path):
    """The packages that a file of a package imports from."""
    here = file.relative_to(PACKAGE).parent.parts
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = here[: len(here) - node.level + 1]
            wanted = [(*above, *node.module.split("."))] if node.module else [(*above, one.name) for one in node.names]
            yield from (where[0] for where in wanted if (PACKAGE / where[0]).is_dir() and where[0] != here[0])


def test_no_package_needs_one_that_needs_it():
    of = {package.name: {one for file in package.glob("*.py") for one in needs(file)} for package in PACKAGE.iterdir() if package.is_dir()}
    assert {"machine", "checkout"} & of["networks"]
    graphlib.TopologicalSorter(of).prepare()


def test_no_folder_has_more_files_than_one_can_look_through():
    folders = {file.parent for file in PACKAGE.rglob("*.py")}
    many = {str(folder): count for folder in folders if (count := len([*folder.glob("[!_]*.py")])) > MOST_FILES}
    assert not many
