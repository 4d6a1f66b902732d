from paceline_lab.demo_claims import claims


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
    assert "2.5 Mbit/s were granted or lent and not sent, 2.0 Mbit/s were headroom" in goodput["why"]
    assert not found["mean utility above a queue that is fair to users"]["holds"]
    assert found["least utility above a queue that is fair to users"]["holds"]


def test_nothing_is_claimed_of_what_did_not_run():
    assert claims(result(BEST, FAIR)) == []
    assert claims(result(BEST, {"mode": "managed", "error": "no grants"})) == []
    assert len(claims(result(run("managed", 88_900, 3.84, 4.52)))) == 3


def test_a_run_that_drops_or_queues_fails():
    found = by_name(claims(result(run("managed", 1, 1, 1, dropped=1, rtt=13.9, jitter=1.0))))
    assert [one["holds"] for one in found.values()] == [False, False, False]
