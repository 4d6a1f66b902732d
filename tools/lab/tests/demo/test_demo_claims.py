from paceline_lab.demo.claims import claims


def run(mode, goodput, least, mean, dropped=0, rtt=12.0, jitter=0.5, **more):
    return {"mode": mode, "goodputKbps": goodput, "minUtility": least, "meanUtility": mean, "droppedPackets": dropped,
            "rttMs": {"p50": rtt, "p95": rtt}, "jitterMs": {"p50": jitter, "p95": jitter}, **more}  # fmt: skip


def result(*runs):
    return {"applications": 40, "baseRttMs": 10.8, "runs": list(runs)}


ACCOUNT = {"headroomKbps": 2_000, "unusedKbps": {"live": 1_500, "web": 1_000}, "lentTwiceKbps": 0, "borrowedKbps": 0, "noTakerKbps": 200}
BEST = run("best-effort", 95_000, 2.9, 4.3, dropped=4_000, rtt=90.0, jitter=2.6)
FAIR = run("per-user", 95_000, 3.8, 4.58, dropped=11_000, rtt=11.0)


def by_name(found):
    return {one["name"].split(": ")[1]: one for one in found}


def test_what_holds_and_what_does_not_stand_beside_each_other_with_the_reason():
    found = by_name(claims(result(BEST, FAIR, run("managed", 88_900, 3.84, 4.52, account=ACCOUNT))))
    assert found["packets dropped"]["holds"] and found["round trip, 95 %"]["holds"] and found["jitter of calls, 95 %"]["holds"]
    goodput = found["goodput of best effort's"]
    assert not goodput["holds"] and goodput["measured"] == 93.579 and goodput["target"] == 98
    assert "2.7 Mbit/s were not sent by who might, nor borrowed, 2.0 Mbit/s were headroom" in goodput["why"]
    assert not found["mean utility above a queue that is fair to users"]["holds"]
    assert found["least utility above a queue that is fair to users"]["holds"]


def test_nothing_is_claimed_of_what_did_not_run():
    assert claims(result(BEST, FAIR)) == []
    assert claims(result(BEST, {"mode": "managed", "error": "no grants"})) == []
    assert len(claims(result(run("managed", 88_900, 3.84, 4.52)))) == 3


def test_a_run_that_drops_or_queues_fails():
    found = by_name(claims(result(run("managed", 1, 1, 1, dropped=1, rtt=13.9, jitter=1.0))))
    assert [one["holds"] for one in found.values()] == [False, False, False]


def test_repeats_are_compared_each_with_its_own_and_give_an_interval():
    repeats = [
        {**run(mode, goodput, 3.8, mean), "repeat": k}
        for k, of_best in enumerate((0.99, 0.98, 0.97, 0.99, 0.98))
        for mode, goodput, mean in (("best-effort", 95_000 + k, 4.3), ("managed", of_best * (95_000 + k), 4.5))
    ]
    found = by_name(claims({**result(), "repeats": repeats}))
    goodput = found["goodput of best effort's"]
    assert goodput["measured"] == 98.2 and goodput["repeats"] == 5 and goodput["holds"]
    assert goodput["interval"][0] < 98.2 < goodput["interval"][1]


def test_a_packet_dropped_in_one_repeat_is_one_too_many():
    repeats = [{**run("managed", 1, 1, 1, dropped=dropped), "repeat": k} for k, dropped in enumerate((0, 0, 1))]
    assert not by_name(claims({**result(), "repeats": repeats}))["packets dropped"]["holds"]


def test_a_repeat_without_its_rival_is_not_compared():
    repeats = [
        {**run("managed", 1, 3.8, 4.6), "repeat": 0},
        {**FAIR, "repeat": 0},
        {**run("managed", 1, 3.8, 4.9), "repeat": 1},
    ]
    assert by_name(claims({**result(), "repeats": repeats}))["mean utility above a queue that is fair to users"]["measured"] == 0.02


def test_in_a_crowd_the_least_utility_must_be_well_above():
    crowd = {**result(FAIR, run("managed", 1, 4.7, 4.9)), "applications": 80}
    assert by_name(claims(crowd))["least utility above a queue that is fair to users"]["target"] == 1
