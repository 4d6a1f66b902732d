import pytest
from paceline_lab.demo import account


def conversation(intent, granted, sent, lent=0.0, path=("server", "left", "right", "client")):
    return {"intent": intent, "grant": {"rateKbps": granted, "path": list(path)}, "measured": {"rateKbps": sent}} | (
        {"lent": {"rateKbps": lent}} if lent else {}
    )


def crosses(one):
    return "right" in one["grant"]["path"]


def test_each_part_is_counted_once_and_together_they_are_the_capacity():
    seen = account.moment(
        [
            conversation("voip/g729.1", 100, 60),
            conversation("file-download/emailattach", 40_000, 41_000, lent=1_000),
            conversation("voip/g729.1", 500, 500, path=("server", "left", "other")),
            {"intent": "voip/g729.1", "measured": {}},
        ],
        crosses,
    )
    assert (seen.granted, seen.lent, seen.sent, seen.borrowed) == (40_100, 1_000, 41_060, 0)
    told = account.shares([seen, seen], 50_000, 0.98, link_kbps=41_560, goodput_kbps=39_000)
    assert told["headroomKbps"] == 1_000 and told["noTakerKbps"] == 49_000 - 41_100
    assert sum(told["unusedKbps"].values()) == 40
    parts = told["headroomKbps"] + told["noTakerKbps"] + 40 - told["lentTwiceKbps"] + told["otherwiseKbps"]
    assert told["capacityKbps"] - parts == told["linkKbps"]
    assert told["linkKbps"] - told["headersKbps"] == told["goodputKbps"]


def test_what_is_lent_of_unused_grants_is_not_counted_as_used_twice():
    seen = account.moment([conversation("voip/g729.1", 50_000, 10_000), conversation("", 48_000, 60_000, lent=12_000)], crosses)
    told = account.shares([seen], 100_000, 0.98, link_kbps=70_000, goodput_kbps=66_000)
    assert told["noTakerKbps"] == 0 and told["lentTwiceKbps"] == 12_000
    assert told["otherwiseKbps"] == pytest.approx(100_000 - 2_000 - 40_000 + 12_000 - 70_000)


def test_what_somebody_borrows_fills_what_others_of_its_host_leave():
    seen = account.moment([conversation("voip/g729.1", 50_000, 10_000), conversation("", 48_000, 85_000)], crosses)
    told = account.shares([seen], 100_000, 0.98, link_kbps=95_000, goodput_kbps=90_000)
    assert told["borrowedKbps"] == 37_000 and told["otherwiseKbps"] == 0
    assert any("borrowed" in row and "37.00" in row for row in account.lines(told, {}))


def test_people_read_it_from_the_capacity_down():
    seen = account.moment([conversation("voip/g729.1", 100, 60)], crosses)
    rows = account.lines(account.shares([seen], 1_000, 0.96, 70, 60), {"voip": "VoIP"})
    assert rows[0].split() == ["the", "bottleneck", "1.00"]
    assert any("VoIP" in row and "-0.04" in row for row in rows)
    assert rows[-1].split() == ["goodput", "0.06"]
