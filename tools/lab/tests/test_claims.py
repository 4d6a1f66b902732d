import json

import pytest
from paceline_lab import claims


def claim(name="less delay", holds=True, **more):
    return {"name": name, "reference": None, "target": 7.3, "measured": 9.1, "unit": "%", "holds": holds, "repeats": 5, **more}


def write(folder, *all_claims, name="result.json"):
    file = folder / name
    file.write_text(json.dumps({"claims": list(all_claims)}))
    return str(file)


def test_what_holds_is_a_table_of_all_files(tmp_path, capsys):
    first = write(tmp_path, claim("less delay", interval=[8.25, 9.9]))
    second = write(tmp_path, claim("more throughput", reference=3), name="second.json")
    assert claims.main([first, second]) == 0
    said = capsys.readouterr().out
    head, one, other = said.splitlines()[:3]
    assert [one[head.index(column) :].split()[0] for column in ("claim", "unit")] == ["less", "%"]
    assert "8.25 .. 9.9" in one and one.startswith("holds") and " 3 " in other
    assert said.endswith("2 of 2 claims hold.\n")


def test_what_does_not_hold_is_there_with_its_reason_and_ends_with_1(tmp_path, capsys):
    assert claims.main([write(tmp_path, claim(), claim("no loss", False, why="one core for two switches"), claim("fair", False))]) == 1
    said = capsys.readouterr().out
    assert "FAILS" in said and "why: one core for two switches" in said and "why: the file does not say" in said
    assert "1 of 3 claims hold." in said


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "is not JSON"), ("[]", "has no claims"), ("{}", "has no claims"), ('{"claims": [{"name": 1}]}', "lacks a name"), (None, "cannot read")],
)
def test_a_file_that_is_no_result_is_named_with_a_way_out(tmp_path, capsys, text, said):
    file = tmp_path / "result.json"
    if text is not None:
        file.write_text(text)
    assert claims.main([write(tmp_path, claim(), name="good.json"), str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and said in err and str(file) in err
