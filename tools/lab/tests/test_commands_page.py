"""How a page's commands are told from what they print, and what counts as the same."""

from paceline_lab.commands_page import Step, steps


def test_a_page_has_commands_with_what_they_print(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Text\n\n    $ no command\n\n```console\n$ one\n$ two\na  b\n\nc\n```\n\n```\n$ none\n```\n")
    assert [(step.command, step.line, step.expected) for step in steps(page)] == [("one", 6, []), ("two", 7, ["a b", "c"])]


def test_dots_stand_for_what_differs_and_for_nothing_else():
    step = Step("", 1, ["id ... rate 5.0", "...", "the end"])
    assert step.matches("id   r17   rate 5.0\n\nthe end\n")
    assert step.matches("id r17 rate 5.0\nmore\nand more\nthe end")
    assert not step.matches("id r17 rate 5x0\nthe end"), "a dot of a number is a dot"
    assert not step.matches("id r17 rate 5.0\nthe end\nmore")
    assert not step.matches("id r17\nrate 5.0\nthe end"), "within a line they stand for no other line"
