import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from paceline_lab.charts import BOTTOM, HEIGHT, TOP, Chart, Line
from paceline_lab.demo import report
from paceline_lab.traffic import kpi, measure
from paceline_lab.traffic.measure import Samples
from paceline_lab.traffic.mix import paper_mix


def request(name, kind, start, utility, finished=True):
    return {"id": name, "kind": kind, "start": start, "end": start + 1, "kpi": 1.0, "utility": utility, "bytes": 1000, "finished": finished}


def bucket(stream, second, received, first, last, delay=10.0, jitter=0.2):
    return {"stream": stream, "second": second, "received": received, "first": first, "last": last,
            "delayMs": delay, "delayMaxMs": delay + 1, "jitterMs": jitter}  # fmt: skip


def counters(at, packets, dropped, octets):
    forward = {"offeredPackets": packets, "forwardedPackets": packets - dropped, "droppedPackets": dropped,
               "forwardedBytes": octets, "backlogMaxSecondBytes": 5000,
               "codelDroppedPackets": dropped // 2}  # fmt: skip
    return {"monotonic": at, "forward": forward, "backward": dict(forward, droppedPackets=0)}


def samples():
    wire = [counters(100 + i, 1000 * i, 10 * i if i < 5 else 40, 12_000_000 * i) for i in range(0, 63)]
    return Samples(
        window=(101.5, 161.5),
        records=[
            request("web-1", "web", 100.0, 1.0),  # before the window
            *(request("web-1", "web", 102 + i, 3.0 + i / 10) for i in range(10)),
            request("web-2", "web", 105, 2.0),
            request("web-2", "web", 150, 1.5, finished=False),  # has a finished one
            request("dl-1", "dl", 120, 4.0, finished=False),
            request("web-1", "web", 161.6, 1.0),  # after the window
            {"event": "glance", "host": "h", "at": 101.0, "bytes": 0},
            {"event": "glance", "host": "h", "at": 162.0, "bytes": 61_000_000},
        ],
        voice=[bucket("voip-1", s, 49, 50 * (s - 100), 50 * (s - 100) + 49) for s in range(100, 163)],
        probe=[{"second": s, "sequence": 0, "roundTripMs": [10.0, 12.0]} for s in range(102, 160)],
        wires=[wire],
    )


def test_only_requests_that_began_in_the_window_count():
    counted = measure.counted(samples())
    assert sorted(r["utility"] for r in counted if r["id"] == "web-1") == [pytest.approx(3.0 + i / 10) for i in range(10)]


def test_an_unfinished_request_counts_only_where_there_is_no_other():
    counted = measure.counted(samples())
    assert [r["utility"] for r in counted if r["id"] == "web-2"] == [2.0]
    assert [r["utility"] for r in counted if r["id"] == "dl-1"] == [4.0]


def test_a_call_is_judged_by_its_lost_packets_and_its_delay():
    calls = list(measure.calls(samples()))
    assert len(calls) == 2
    for call in calls:
        assert call["loss"] == pytest.approx(0.02, abs=0.001)
        assert call["utility"] == pytest.approx(kpi.voice(call["loss"], 10.0))


def heard_in(seconds):
    """The calls of a minute in which one was heard in these seconds only."""
    voice = [bucket("voip-1", s, 50, 50 * (s - 100), 50 * (s - 100) + 49) for s in seconds]
    return list(measure.calls(Samples(window=(101.5, 161.5), voice=voice)))


def test_a_call_that_falls_silent_has_lost_what_nobody_heard():
    first, second = heard_in([*range(100, 107), *range(131, 163)])
    assert first["loss"] == pytest.approx(1 - 250 / 1449, abs=0.001) and second["loss"] < 0.04
    # Where nothing is heard it is as bad as can be, and not left out.
    first, second = heard_in(range(100, 120))
    assert (second["loss"], second["utility"], second["start"]) == (1, 1, first["end"])
    # One that is never heard in the window is named by the summary.
    assert heard_in(range(100, 102)) == []


def test_a_packet_that_was_sent_a_moment_after_its_second_is_not_lost():
    voice = [bucket("voip-1", s, 50, 50 * (s - 100), 50 * (s - 100) + 49) for s in range(100, 163)]
    voice[2] = bucket("voip-1", 102, 49, 101, 149)
    assert [call["loss"] for call in measure.calls(Samples(window=(101.5, 161.5), voice=voice))] == [0, 0]


def test_calls_are_judged_while_they_are_heard_by_their_last_half_minute(tmp_path):
    file = tmp_path / "voice"
    written = [json.dumps(bucket("voip-1", s, 40 if s < 10 else 50, 50 * s, 50 * s + 49, delay=20 if s < 10 else 10)) + "\n" for s in range(41)]
    file.write_text("".join(written[:10]) + written[10][:20])
    calls = measure.Calls(file)
    assert calls.hear(11.5) == {"voip-1": (pytest.approx(0.2, abs=0.005), pytest.approx(20))}
    with open(file, "a") as more:
        more.write(written[10][20:] + "".join(written[11:]) + json.dumps(bucket("voip-2", 39, 1, 7, 7)) + "\n")
    # The first second of a call may be a part of one. One second more than is judged is written down by then.
    assert calls.hear(41.5) == {"voip-1": (0, pytest.approx(10))}


def test_a_call_that_falls_silent_is_judged_while_it_is(tmp_path):
    file = tmp_path / "voice"
    file.write_text("".join(json.dumps(bucket("voip-1", s, 50, 50 * s, 50 * s + 49)) + "\n" for s in range(31)))
    calls = measure.Calls(file)
    assert calls.hear(32.5) == {"voip-1": (0, 10)}
    assert calls.hear(47.5) == {"voip-1": (pytest.approx(0.5, abs=0.001), 10)}
    assert calls.hear(90) == {"voip-1": (1, 0)} and kpi.voice(1, 0) == 1


def test_counters_miss_nothing_of_the_window():
    first, last = measure.between(samples().wires[0], (101.5, 161.5))
    assert (first["monotonic"], last["monotonic"]) == (101, 162)


def summary(*silent):
    mix = [a for a in paper_mix(10) if a.id in ("web-1", "web-2", "dl-1", "voip-1", *silent)]
    return measure.summary("managed", samples(), mix, {"web-1": 3.5, "web-2": 3.0, "dl-1": 4.1})


def test_of_a_type_it_has_the_users_tails_and_how_much_one_of_them_varies():
    web = summary()["types"]["web"]
    # Nine of ten requests of the one reach 3.09; the other has a single one.
    assert web["tail"] == pytest.approx((3.09 + 2.0) / 2, abs=0.001)
    assert web["clientSd"] == pytest.approx(0.287, abs=0.001)


def test_a_plot_has_room_for_how_far_chance_may_have_moved_a_value():
    chart = Chart("t", "users", "u", [Line("managed", [(10, 1.0), (20, 1.0)])], spans=[("managed", 10, -1.0, 3.0)])
    top, foot = map(float, re.search(r'<g class="managed"><path d="M[\d.]+,([\d.]+)V([\d.]+)"/></g>', chart.svg()).groups())
    # As high as the axis says: from -1 to 3 of what is a little more than that.
    whole = HEIGHT - TOP - BOTTOM
    assert 0.9 * whole < top - foot < whole


def test_the_summary_has_the_figures_of_the_documented_format():
    run = summary()
    assert run["offeredPackets"] == 61_000
    assert run["droppedPackets"] == 30
    assert run["codelDroppedPackets"] == 15
    assert run["rttMs"] == {"p50": 11.0, "p95": 12.0}
    assert run["jitterMs"] == {"p50": 0.2, "p95": 0.2}
    assert run["goodputKbps"] == pytest.approx(8000 + 49 * 32 * 8 / 1000, abs=1)
    assert run["types"]["web"]["conversations"] == 2
    assert run["types"]["web"]["requests"] == 11
    assert run["types"]["web"]["target"] == 3.25
    assert run["types"]["dl"]["unfinished"] == 1
    # The second page of web-2.
    assert run["uncounted"] == 1
    text = report.table({**result(), "runs": [run]})
    assert "managed: 1 unfinished request counts nothing, as its user has finished others" in " ".join(text.split())


def test_packets_are_of_all_bottlenecks_and_users_by_how_many_they_cross():
    seen = samples()
    seen.wires.append([counters(100 + i, 100 * i, 0, 6_000_000 * i) for i in range(0, 63)])
    mix = [replace(one, links=3 if one.id == "web-2" else 1) for one in paper_mix(10) if one.id in ("web-1", "web-2")]
    run = measure.summary("managed", seen, mix, None)
    assert (run["offeredPackets"], run["droppedPackets"], run["linkKbps"]) == (61_000 + 6_100, 30, 72_000)
    assert [link["linkKbps"] for link in run["links"]] == [96_000, 48_000] and "links" not in summary()
    near, far = ({"conversations": 1, "tail": tail, "types": {"web": tail}} for tail in (3.09, 2.0))
    assert run["byLinks"] == {"1": near, "3": far} and "byLinks" not in summary()


def test_the_minimum_is_over_conversations_each_at_its_tail():
    run = summary()
    assert run["minUtility"] == 2.0
    assert run["worstConversation"] == "web-2"
    assert measure.tail([3.0 + i / 10 for i in range(10)]) == pytest.approx(3.09)


def test_a_conversation_that_got_nothing_is_named_and_as_badly_off_as_can_be():
    run = summary("ssh-1")
    assert run["silentConversations"] == ["ssh-1"] and summary()["silentConversations"] == []
    assert (run["minUtility"], run["worstConversation"]) == (1, "ssh-1") and run["meanUtility"] < summary()["meanUtility"]
    assert (run["types"]["ssh"]["median"], run["types"]["ssh"]["unfinished"]) == (1, 1)


def test_what_users_reported_stands_in_the_run_and_in_the_report():
    run, alarm = summary(), {"kind": "experience", "conversation": "plsrv1/7", "likelyCause": "table-wrong", "sentence": "Its user experiences 2.00.", "since": "then"}
    assert "experienced" not in report.table({**result(), "runs": [run]})
    measure.add_experienced(run, {"web-1": 3.5, "web-2": 2.0, "voip-1": 4.9}, [alarm])
    assert {name: one["experienced"] for name, one in run["types"].items()} == {"web": 2.75, "dl": None, "voip": 4.9}
    text = " ".join(report.table({**result(), "runs": [run]}).split())
    assert "managed: experienced by the last reports of 3 of 4 users, as the controller has it: web 2.75, voip 4.90" in text
    assert "the controller's alarm (plsrv1/7, table-wrong): Its user experiences 2.00." in text
    assert "3 of 4 users" in report.page({**result(), "runs": [run]}, {"managed": samples()})


def result():
    return {"scenario": "paper", "applications": 5, "seconds": 60, "seed": 1, "bottleneckKbps": 100000, "baseRttMs": 10.3,
            "runs": [summary()]}  # fmt: skip


def test_the_page_is_one_file_that_needs_nothing_else():
    text = report.page(result(), {"managed": samples()})
    drawings = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(drawings) == 13 and "<script" not in text
    for drawing in drawings:
        ElementTree.fromstring(drawing)
    # What a point is can be read, and a run can be taken out.
    assert "<title>managed: " in text and 'id="show-managed" checked' in text
    assert "http" not in text.replace("<!doctype html>", "")
    assert "Managed, the worst-off of 5 conversations has utility 2.00" in text


def test_the_report_has_two_sheets_of_plots_for_a_page_without_scripts(tmp_path):
    report.write(tmp_path, result(), {"managed": samples()})
    for name, plots in (("utility", 8), ("network", 3)):
        sheet = ElementTree.fromstring((tmp_path / f"{name}.svg").read_text())
        placed = [one.get("transform") for one in sheet if one.get("transform")]
        assert len(set(placed)) == plots
        assert [one.text for one in sheet if one.get("class") == "legend"] == ["managed"]
        assert f"({name}.svg)" in (tmp_path / "report.md").read_text()


def test_the_conclusion_compares_both_runs():
    best = dict(summary(), mode="best-effort", minUtility=1.1, droppedPackets=900)
    said = report.conclusion({**result(), "runs": [best, summary()]})
    assert "2.00 instead of 1.10" in said and "30 packets instead of 900" in said


def test_the_conclusion_says_who_loses_and_no_line_is_cut_off():
    best, managed = dict(summary(), mode="best-effort"), summary()
    assert report.conclusion({**result(), "runs": [best, managed]}).endswith("No type of application loses by it.")
    web = managed["types"]["web"]
    best["types"] = {**managed["types"], "web": {**web, "median": 4.27, "requests": 253}}
    managed["types"] = {**managed["types"], "web": {**web, "median": 3.84, "requests": 168}}
    both = {**result(), "runs": [best, managed]}
    said = report.conclusion(both)
    assert said.endswith("Who loses by it: Web pages (utility 4.27 -> 3.84, 253 -> 168 in the same time).")
    page = report.page(both, {"managed": samples(), "best-effort": samples()})
    assert "4.27 -&gt; 3.84, 253 -&gt; 168" in page and "<pre" not in page
    for text in (report.table(both), "\n".join(report.lines(said))):
        assert max(map(len, text.splitlines())) <= 100
    # All of it is there, whatever the lines.
    assert " ".join(report.lines(said)) == said


def with_rivals():
    """Five runs; only the managed one has targets."""
    runs = []
    for mode, least in (("best-effort", 1.1), ("fq-codel", 1.4), ("per-user", 1.7), ("bbr", 1.2)):
        run = dict(summary(), mode=mode, minUtility=least, codelDroppedPackets=0)
        run["types"] = {name: {**one, "target": None} for name, one in run["types"].items()}
        runs.append(run)
    runs[1]["codelDroppedPackets"] = 30
    return {**result(), "openingSeconds": 10, "runs": [*runs, summary()]}


def test_more_than_two_runs_are_below_each_other_for_each_type():
    rows = report.table(with_rivals()).splitlines()
    assert max(map(len, rows)) <= 100
    web = next(i for i, row in enumerate(rows) if row.startswith("web"))
    modes = [row[8:20].strip() for row in rows[web : web + 5]]
    assert modes == ["best-effort", "fq-codel", "per-user", "bbr", "managed"]
    assert [row.split()[-2] for row in rows[web : web + 5]] == ["-", "-", "-", "-", "3.25"]
    assert any("(0.05 %; 30 by CoDel)" in row for row in rows)


def test_the_page_shows_every_rival_and_says_what_it_is():
    both = with_rivals()
    text = report.page(both, {r["mode"]: samples() for r in both["runs"]})
    assert "<h1>Paceline: best effort against fq-codel against per-user against bbr against managed</h1>" in text
    assert text.count("<svg") == 13
    for mode in ("best-effort", "fq-codel", "per-user", "bbr", "managed"):
        assert f'id="show-{mode}" checked' in text and f".{mode} path{{stroke:" in text
    assert "fq-codel is FlowQueue-CoDel" in text and "the round trip is that of a flow that sends little" in text


def test_the_conclusion_says_the_same_of_every_rival():
    both = with_rivals()
    said = report.conclusion(both)
    assert "2.00 instead of 1.10" in said
    assert "With fq-codel the worst-off has 1.40" in said and "With bbr the worst-off has 1.20" in said
    assert said.endswith("No type of application loses by it.")
    alone = report.conclusion({**both, "runs": both["runs"][:2]})
    assert alone.startswith("Best-effort, the worst-off of 5") and alone.count("fq-codel") == 1
    assert "-effort" not in report.conclusion({**both, "runs": both["runs"][1:]})


def test_a_failed_run_is_told_and_not_drawn():
    failed = {**result(), "runs": [{"mode": "managed", "error": "no agents"}]}
    assert "failed: no agents" in report.table(failed)
    assert report.conclusion(failed) == "No run came to an end."


def test_half_a_line_at_the_end_of_a_file_is_left_out(tmp_path):
    file = tmp_path / "x"
    file.write_text(json.dumps({"a": 1}) + "\n" + '{"a":')
    assert measure.lines(file) == [{"a": 1}]


def test_the_report_in_text_says_how_and_when_it_was_made_and_what_holds():
    entry = measure.summary("managed", samples(), paper_mix(12), {})
    result = {"applications": 12, "bottleneckKbps": 100_000, "seconds": 60, "openingSeconds": 10, "runs": [entry],
              "command": "tools/paceline demo --applications 12", "made": {"at": "2026-11-25T19:00+00:00", "commit": "abc123"},
              "claims": [{"name": "packets dropped", "target": 0, "measured": 4, "unit": "packets", "holds": False, "why": "a queue", "repeats": 1}]}  # fmt: skip
    text = report.markdown(result)
    assert text.startswith("# 12 applications on 100 Mbit/s\n\n    tools/paceline demo --applications 12\n")
    assert "60 s; 2026-11-25, at abc123." in text
    assert "FAILS" in text and "why: a queue" in text and "managed:" in text
