"""How a page's commands are told from what they print, and what counts as the same."""

from paceline_lab.commands_page import Step, steps


def matches(expected, output, names=None):
    return Step("", 1, expected.splitlines()).matches(output, names or {})


def test_a_page_has_commands_with_what_they_print(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Text\n\n    $ no command\n\n```console\n$ one\n$ two\na  b\n\nc\n```\n\n```\n$ none\n```\n")
    assert [(step.command, step.line, step.expected) for step in steps(page)] == [("one", 6, []), ("two", 7, ["a b", "c"])]


def test_what_is_not_marked_must_be_there_but_for_the_width_of_columns():
    assert matches("rate 5.0\nthe end", "rate     5.0\n\nthe end\n") == {}
    assert matches("rate 5.0", "rate 5x0") is None, "a dot is a dot"
    assert matches("rate 5.0", "rate 5.0\nmore") is None
    assert matches("rate 5.0\nthe end", "rate 5.0") is None
    assert matches("", "something") is None


def test_a_mark_stands_for_its_kind_and_for_nothing_else():
    assert matches("at <time> by a", "at 2026-11-25T02:08:56.89Z by a") == {}
    assert matches("at <time> by a", "at noon by a") is None
    assert matches("plan <number>.", "plan 17.") == {}
    assert matches("plan <number>.", "plan x.") is None
    assert matches("in <path>.", "in /tmp/x.d/y.") == {}
    assert matches("in <path>.", "in vain.") is None
    assert matches("in <path>.", "in /tmp/x. Error.") is None


def test_a_measured_number_may_be_a_quarter_off():
    assert matches("~1000 kbit/s", "1240 kbit/s") == matches("~1000 kbit/s", "760 kbit/s") == {}
    assert matches("~1000 kbit/s", "1260 kbit/s") is None
    assert matches("~1000 kbit/s", "740 kbit/s") is None
    assert matches("~1000 kbit/s", "- kbit/s") is None


def test_a_name_is_the_same_word_wherever_it_stands_and_two_names_are_two_words():
    names = matches("a/<call> b/<video>\na/<call>", "a/x1-1 b/x2-1\na/x1-1")
    assert names == {"call": "x1-1", "video": "x2-1"}
    assert matches("a/<call>\na/<call>", "a/x1-1\na/x1-2") is None
    assert matches("a/<call> b/<video>", "a/x b/x") is None
    assert matches("why <call>", "why x1-1", names) == names
    assert matches("why <call>", "why x2-1", names) is None
