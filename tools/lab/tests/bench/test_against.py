"""Which figures of two commits are compared, and when one is worse."""

import json
import subprocess

import pytest
from paceline_lab.bench import against

TABLE = """# Allocator
load average 0.1

## Networks
What there is to say.

| problem | nodes | ms | certified gap | answer |
| --- | --- | --- | --- | --- |
| wan-90 | 90 | 2,883 (2,880..2,885) | 7e-04..9e-04 | none |
| wan-90 | 90 | 12.5 | 1e-06 | none |

| part | MB |
|---|---|
| heap | 12 |
"""


def test_the_figures_of_a_table_are_named_by_section_row_and_column():
    assert against.of_tables(TABLE) == {
        ("Networks: wan-90 (1)", "nodes"): 90,
        ("Networks: wan-90 (1)", "ms"): 2883,
        ("Networks: wan-90 (1)", "certified gap"): pytest.approx(8e-4),
        ("Networks: wan-90 (2)", "nodes"): 90,
        ("Networks: wan-90 (2)", "ms"): 12.5,
        ("Networks: wan-90 (2)", "certified gap"): 1e-6,
        ("Networks: heap (1)", "MB"): 12,
    }


def test_the_figures_of_json_are_named_by_their_path_and_a_list_is_its_median():
    result = {"whatIf": {"asyncSeconds": 2, "state": "done", "found": True}, "explainSeconds": [3, 1, 2], "rounds": [{"ms": 5}], "claims": [{"measured": 1}], "none": []}
    assert against.of_json(result) == {("whatIf", "asyncSeconds"): 2, ("", "explainSeconds"): 2, ("rounds.0", "ms"): 5}


def test_worse_is_what_is_worse_in_every_run_and_only_where_it_is_known_what_is_better():
    slower, mixed = against.Figure([10, 11, 12], [13, 14, 15]), against.Figure([10, 11, 14], [13, 14, 15])
    assert against.is_worse(("a", "ms"), slower) and not against.is_worse(("a", "ms"), mixed)
    assert not against.is_worse(("a", "requests a second"), slower)
    assert against.is_worse(("a", "requests a second"), against.Figure(slower.here, slower.there))
    assert against.is_worse(("a", "marbles"), slower) is None


def test_a_size_that_both_were_told_is_not_compared_nor_what_one_run_lacks():
    there = [{("a", "nodes"): 90.0, ("a", "ms"): 10.0, ("a", "p99"): 1.0, ("a", "drops"): 0.0}, {("a", "nodes"): 90.0, ("a", "ms"): 11.0, ("a", "drops"): 1.0}]
    assert list(against.compared(there, there)) == [("a", "ms")]


def test_the_ratio_is_of_pairs_and_its_interval_holds_it():
    figure = against.Figure([10, 20, 40], [11, 22, 44])
    assert figure.ratio() == pytest.approx(1.1) and figure.interval() == [1.1, 1.1]
    assert against.Figure([10, 20], [20, 10]).ratio() == pytest.approx(1)


def bench(folder, name, milliseconds):
    """A tree whose benchmark finds another value in each run."""
    tree = folder / name
    (tree / "tools").mkdir(parents=True)
    script = tree / "tools/paceline"
    script.write_text(
        f"""#!/bin/sh
[ "$1 $2" = "bench toy" ] || exit 3
for out; do :; done
echo x >>runs
printf '| what | ms |\\n| --- | --- |\\n| toy | %s |\\n' "$(({milliseconds} + $(wc -l <runs)))" >"$out/table.md"
"""
    )
    script.chmod(0o755)
    for words in (["init", "-q"], ["add", "tools"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", name]):
        subprocess.run(["git", *words], cwd=tree, check=True)
    return tree


def slowed(tree, was, now):
    script = tree / "tools/paceline"
    script.write_text(script.read_text().replace(was, now))


def test_two_commits_run_in_turn_and_the_result_says_which_figure_is_worse(tmp_path, monkeypatch, capsys):
    tree = bench(tmp_path, "project", 100)
    monkeypatch.chdir(tree)
    slowed(tree, "100", "200")
    assert against.main(["--repeats", "3", "HEAD", "toy"]) == 1
    result = json.loads((tree / "out/against-toy/result.json").read_text())
    assert result["figures"] == [{"place": "toy (1)", "name": "ms", "there": [101, 102, 103], "here": [201, 202, 203], "ratio": pytest.approx(1.98, abs=0.01)}]
    assert [claim["holds"] for claim in result["claims"]] == [False, False] and result["claims"][0]["measured"] == 1
    said = capsys.readouterr()
    # First there, then here first.
    assert [line.split(": ")[1] for line in said.err.splitlines()[:4]] == ["there, 1 of 3", "here, 1 of 3", "here, 2 of 3", "there, 2 of 3"]
    assert "worse" in said.out and "0 .." not in said.out
    slowed(tree, "200", "50")
    assert against.main(["--repeats", "2", "HEAD", "toy"]) == 0


def test_a_commit_that_is_none_and_a_benchmark_that_fails_are_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(bench(tmp_path, "project", 100))
    assert against.main(["no-such-commit", "toy"]) == 2
    assert "there is no commit no-such-commit here. Maybe: git fetch" in capsys.readouterr().err
    assert against.main(["--repeats", "2", "HEAD", "other"]) == 1
    assert "`tools/paceline bench other` in" in capsys.readouterr().err
