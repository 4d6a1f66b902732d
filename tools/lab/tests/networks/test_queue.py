"""The wire's queues in virtual time, without a wire: CoDel to the nanosecond, turns to the frame."""

import json
import math
import random
import subprocess
from collections import Counter, deque
from pathlib import Path

import pytest
from paceline_lab.machine import native

MS = 1_000_000
TARGET, INTERVAL, PACKET = 5 * MS, 100 * MS, 1514
FAIR = ("fq-codel", "per-user")


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    program = tmp_path_factory.mktemp("driver") / "queue_driver"
    source = Path(__file__).with_name("queue_driver.c")
    words = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-I", str(native.SOURCES), "-o", str(program), str(source)]
    done = subprocess.run([*words, "-lm"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return program


class Calls:
    """A row of calls, written down first and then done by the program."""

    def __init__(self):
        self.lines = []
        self.frames = []

    def put(self, t, source=1, destination=1, port=1, length=1000, sending=0):
        self.frames.append((t, source, destination, port, length))
        self.lines.append(f"put {t} {source} {destination} {port} {length} {sending}")

    def take(self, t):
        self.lines.append(f"take {t}")

    def mark(self, dscp):
        """Of all that are put from here on."""
        self.lines.append(f"mark {dscp}")

    def done(self, driver, kind, most_bytes=1_000_000, users="far", weights=None, policed=()):
        words = [str(driver), kind, str(most_bytes), users, *([weights] if weights else []), *map(str, policed)]
        ended = subprocess.run(words, input="\n".join(self.lines), capture_output=True, text=True, check=True)
        results = [json.loads(line) for line in ended.stdout.splitlines()]
        assert len(results) == len(self.lines)
        return results


def taken(results):
    return [r["frame"] for r in results if r.get("frame") is not None]


def dropped(results):
    return [frame for r in results for frame in r["dropped"]]


class Codel:
    """The pseudo-code of RFC 8289, section 5, for a queue of one flow."""

    def __init__(self):
        self.waiting = deque()
        self.bytes = 0
        self.first_above = self.drop_next = self.count = self.last_count = 0
        self.dropping = False
        self.drops = []

    def put(self, t, number, length):
        self.waiting.append((t, number, length))
        self.bytes += length

    def first(self, now):
        if not self.waiting:
            self.first_above = 0
            return None, False
        frame = self.waiting.popleft()
        self.bytes -= frame[2]
        if now - frame[0] < TARGET or self.bytes <= PACKET:
            self.first_above = 0
        elif self.first_above == 0:
            self.first_above = now + INTERVAL
        else:
            return frame, now >= self.first_above
        return frame, False

    def drop(self, frame):
        self.drops.append(frame[1])

    def take(self, now):
        frame, may_drop = self.first(now)
        if self.dropping:
            if not may_drop:
                self.dropping = False
            while now >= self.drop_next and self.dropping:
                self.drop(frame)
                self.count += 1
                frame, may_drop = self.first(now)
                if not may_drop:
                    self.dropping = False
                else:
                    self.drop_next = law(self.drop_next, self.count)
        elif may_drop:
            self.drop(frame)
            frame, may_drop = self.first(now)
            self.dropping = True
            since = self.count - self.last_count
            self.count = since if since > 1 and now - self.drop_next < 16 * INTERVAL else 1
            self.drop_next = law(now, self.count)
            self.last_count = self.count
        return frame and frame[1]


def law(t, count):
    return t + int(INTERVAL / math.sqrt(count))


@pytest.mark.parametrize("kind", FAIR)
def test_the_nth_drop_comes_an_interval_by_the_root_of_n_after_the_one_before(driver, kind):
    # Two frames come for each that leaves, so the queue never gets shorter.
    calls = Calls()
    step = MS // 10
    for t in range(0, 1000 * MS, step):
        calls.put(t)
        calls.put(t)
        calls.take(t)
    results = calls.done(driver, kind)
    drops = [int(line.split()[1]) for line, result in zip(calls.lines, results) for _ in result["dropped"]]
    # The frame that leaves in step i came in step i // 2.
    begun = next(i * step for i in range(10_000) if (i - i // 2) * step >= TARGET)
    due = [begun + INTERVAL]
    due.append(due[0] + INTERVAL)
    for count in range(2, 30):
        due.append(law(due[-1], count))
    due = [t for t in due if t < 1000 * MS]
    assert len(drops) == len(due) > 20
    for at, wanted in zip(drops, due):
        assert wanted <= at < wanted + step


@pytest.mark.parametrize("kind", FAIR)
@pytest.mark.parametrize("seed", range(5))
def test_one_flow_is_treated_as_the_pseudo_code_says(driver, kind, seed):
    """Loads that change each 300 ms on average: CoDel begins to drop, stops, and begins again, soon or late."""
    chance = random.Random(seed)
    calls, reference, wanted = Calls(), Codel(), []
    t, load = 1, 1.0
    for _ in range(20_000):
        t += 300_000
        if chance.random() < 0.001:
            load = chance.choice((0.2, 0.9, 1.05, 1.5, 3.0))
        for _ in range(int(load) + (chance.random() < load % 1)):
            length = chance.choice((66, 1000, PACKET))
            reference.put(t, len(calls.frames), length)
            calls.put(t, length=length)
        calls.take(t)
        wanted.append(reference.take(t))
    results = calls.done(driver, kind)
    assert [r["frame"] for line, r in zip(calls.lines, results) if line.startswith("take")] == wanted
    assert dropped(results) == reference.drops
    assert len(reference.drops) > 100


def served(driver, kind, flows, rounds=400, takes=400, users="far"):
    """
    How many frames of each flow are sent, while all have more: a flow is (source, destination, port, frames a round).
    Its first turn, which is whole for whoever is new, is left out.
    """
    calls = Calls()
    for _ in range(rounds):
        for source, destination, port, frames in flows:
            for _ in range(frames):
                calls.put(0, source, destination, port)
    # Within the target, so that nobody is dropped.
    for _ in range(3 * len(flows) + takes):
        calls.take(MS)
    results = calls.done(driver, kind, users=users)
    assert dropped(results) == []
    return Counter(calls.frames[frame][1:4] for frame in taken(results)[3 * len(flows) :])


NINE = [(1, 1, 1000 + n, 1) for n in range(8)] + [(1, 2, 1000, 8)]


def test_fq_codel_gives_nine_flows_equal_shares_whatever_they_offer(driver):
    sent = served(driver, "fq-codel", NINE)
    assert len(sent) == 9
    assert max(sent.values()) - min(sent.values()) <= 2


def test_per_user_gives_eight_flows_of_one_as_much_as_the_only_one_of_another(driver):
    sent = served(driver, "per-user", NINE)
    one = sent.pop((1, 2, 1000))
    assert sum(sent.values()) == pytest.approx(one, rel=0.05)
    assert max(sent.values()) - min(sent.values()) <= 2, "and its flows are equal among themselves"


def test_a_user_backward_is_who_sends(driver):
    turned = [(destination, source, port, frames) for source, destination, port, frames in NINE]
    sent = served(driver, "per-user", turned, users="near")
    one = sent.pop((2, 1, 1000))
    assert sum(sent.values()) == pytest.approx(one, rel=0.05)


def test_shares_are_of_bytes_and_not_of_frames(driver):
    for kind in FAIR:
        calls = Calls()
        for _ in range(1000):
            calls.put(0, destination=1, length=100)
            calls.put(0, destination=2, length=1500)
        for _ in range(800):
            calls.take(MS)
        octets = Counter()
        for frame in taken(calls.done(driver, kind)):
            octets[calls.frames[frame][2]] += calls.frames[frame][4]
        assert octets[1] == pytest.approx(octets[2], rel=0.05), kind


def test_per_user_keeps_flows_apart_that_fq_codel_would_put_into_one_line(driver):
    flows = [(1, 1 + n, 1000, 1) for n in range(200)]
    sent = served(driver, "fq-codel", flows, rounds=40, takes=2000)
    assert min(sent.values()) < 8, "of 200 flows some have the same of 1024 places"
    sent = served(driver, "per-user", flows, rounds=40, takes=2000)
    assert min(sent.values()) >= 9 and max(sent.values()) <= 11


@pytest.mark.parametrize("kind", FAIR)
def test_a_flow_that_sends_little_does_not_wait_for_one_that_sends_more_than_the_link_carries(driver, kind):
    """One sends 1.2 times what is carried, whatever is dropped. The other's frame is next but one at the latest."""
    calls = Calls()
    step = MS  # of a frame on the link
    waits, place = {}, 0
    for n in range(3000):
        for _ in range(1 + (n % 5 == 0)):
            calls.put(n * step, destination=1)
        if n % 20 == 10:
            waits[len(calls.frames)] = n
            calls.put(n * step, destination=2, length=100)
        calls.take(n * step)
    results = calls.done(driver, kind)
    for line, result in zip(calls.lines, results):
        if result.get("frame") in waits:
            assert int(line.split()[1]) - waits.pop(result["frame"]) * step <= step
            place += 1
    assert place == 150 and not waits
    assert not {frame for frame in dropped(results) if calls.frames[frame][2] == 2}


def test_a_flow_that_comes_again_at_once_is_not_new_each_time(driver):
    # Whoever has sent its turn waits among the old: with one frame each time, it gets no more than its share.
    calls = Calls()
    for _ in range(50):
        calls.put(0, destination=1, length=1500)
    for _ in range(40):
        calls.put(0, destination=2, length=1500)
        calls.take(MS)
    for kind in FAIR:
        sent = Counter(calls.frames[frame][2] for frame in taken(calls.done(driver, kind)))
        assert abs(sent[1] - sent[2]) <= 2, kind


@pytest.mark.parametrize("kind", FAIR)
def test_who_comes_beyond_the_limit_makes_whoever_has_most_lose_his_oldest(driver, kind):
    calls = Calls()
    for n in range(10_240):
        calls.put(0, destination=1 if n % 4 else 2)
    calls.put(0, destination=3)
    results = calls.done(driver, kind)
    assert [calls.frames[frame][2] for frame in dropped(results)] == [1] * 64
    assert dropped(results) == [n for n in range(10_240) if n % 4][:64]


def test_the_fifo_counts_what_is_being_sent_and_keeps_the_order(driver):
    calls = Calls()
    calls.put(0, length=1000, sending=1001)
    for _ in range(3):
        calls.put(0, length=1000, sending=0)
    for _ in range(4):
        calls.take(500 * MS)
    results = calls.done(driver, "fifo", most_bytes=2000)
    assert [r["dropped"] for r in results[:4]] == [[0], [], [], [3]]
    assert [r["frame"] for r in results[4:]] == [1, 2, None, None]
    assert [r["backlog"] for r in results[4:]] == [1000, 0, 0, 0]


TABLE_II = "10:1900,18:2100,1000"


def weighted(driver, offered, weights=TABLE_II, lengths=(66, 1000, PACKET), takes=5000, most_bytes=10**9):
    """How many bytes are sent of each class, and frames lost: `offered` are frames a take, by DSCP."""
    calls, chance = Calls(), random.Random(1)
    marks = []
    for n in range(takes):
        for dscp, frames in offered.items():
            calls.mark(dscp)
            for _ in range(int(frames) + (chance.random() < frames % 1)):
                marks.append(dscp)
                calls.put(n * MS, length=chance.choice(lengths))
        calls.take(n * MS)
    results = calls.done(driver, "weighted", most_bytes=most_bytes, weights=weights)
    sent, lost = Counter(), Counter()
    for frame in taken(results):
        sent[marks[frame]] += calls.frames[frame][4]
    for frame in dropped(results):
        lost[marks[frame]] += 1
    return sent, lost


def test_classes_that_all_have_more_share_the_link_by_their_weights(driver):
    sent, _ = weighted(driver, {10: 1, 18: 1, 0: 1})
    for dscp, weight in {10: 1900, 18: 2100, 0: 1000}.items():
        assert sent[dscp] / sum(sent.values()) == pytest.approx(weight / 5000, rel=0.01)


def test_what_a_class_leaves_the_others_share_in_proportion_to_their_weights(driver):
    # The first offers a tenth of what is sent, less than its 0.38.
    sent, _ = weighted(driver, {10: 0.1, 18: 1, 0: 1})
    whole = sum(sent.values())
    assert sent[10] / whole == pytest.approx(0.1, abs=0.01)
    assert sent[18] / sent[0] == pytest.approx(2.1, rel=0.01)


def test_a_class_alone_has_the_whole_link(driver):
    calls = Calls()
    for n in range(100):
        calls.put(0)
    for n in range(100):
        calls.take(n * MS)
    assert taken(calls.done(driver, "weighted", weights=TABLE_II)) == list(range(100))


def test_one_class_may_be_of_several_dscps_and_the_last_is_of_all_others(driver):
    sent, _ = weighted(driver, {10: 1, 18: 1, 0: 1, 46: 1}, weights="10+18:4000,1000")
    assert sent[10] + sent[18] == pytest.approx(4 * (sent[0] + sent[46]), rel=0.01)


def test_a_full_class_drops_its_own_and_nobody_elses(driver):
    _, lost = weighted(driver, {10: 0.1, 18: 0.3, 0: 2}, lengths=(1000,), most_bytes=60_000)
    assert lost[0] > 1000 and not lost[10] and not lost[18]


@pytest.mark.parametrize("text", ["", "10:1900", "1000,500", "10:0,1", "64:1,1", "10:1,x", "10:1,1,", "a:1,1"])
def test_weights_that_are_not_understood_are_refused(driver, text):
    words = [str(driver), "weighted", "1000", "far", text]
    assert subprocess.run(words, input="", capture_output=True, text=True).returncode == 2


# The router of Yan et al.: elephants, and all others. 10 Mbit/s carry a frame of 1514 bytes in 1.2 ms.
FRAME_NS = 1_211_200


def profiled(driver, offered, weights="10:60,40", policed=(), takes=4000, most_bytes=10**9, kind="profiled"):
    """How many bytes of each DSCP are sent in this many turns of the link, each of which offers this many frames of each; and who is dropped."""
    calls, sent, owed, of = Calls(), Counter(), Counter(), []
    for turn in range(takes):
        for dscp, frames in offered.items():
            owed[dscp] += frames
            calls.mark(dscp)
            while owed[dscp] >= 1:
                owed[dscp] -= 1
                calls.put(turn * FRAME_NS, source=dscp, length=PACKET)
                of.append(dscp)
        calls.take(turn * FRAME_NS)
    results = calls.done(driver, kind, most_bytes=most_bytes, weights=weights, policed=policed)
    for frame in taken(results):
        sent[of[frame]] += PACKET
    return sent, Counter(of[frame] for frame in dropped(results)), taken(results)


def test_profiled_classes_that_both_have_more_share_the_link_by_their_parts(driver):
    sent, _, _ = profiled(driver, {10: 1, 0: 1})
    assert sent[10] / sum(sent.values()) == pytest.approx(0.6, rel=0.01)


def test_who_is_in_profile_waits_for_one_frame_at_most(driver):
    calls, waited = Calls(), []
    for turn in range(2000):
        calls.mark(10)
        calls.put(turn * FRAME_NS, source=10, length=PACKET)
        calls.put(turn * FRAME_NS, source=10, length=PACKET)
        if turn >= 200 and turn % 40 == 0:  # By then the elephants have had more than their part.
            calls.mark(0)
            waited.append((turn, len(calls.frames)))
            calls.put(turn * FRAME_NS, length=66)
        calls.take(turn * FRAME_NS)
    results = calls.done(driver, "profiled", most_bytes=10**9, weights="10:95,5")
    at = {result["frame"]: turn for turn, result in enumerate(r for r in results if "frame" in r)}
    assert max(at[frame] - turn for turn, frame in waited) <= 1


def test_a_profiled_class_uses_what_the_other_leaves_and_gives_it_back(driver):
    sent, lost, _ = profiled(driver, {10: 2, 0: 0.3}, most_bytes=10**6)
    assert sent[0] / sum(sent.values()) == pytest.approx(0.3, rel=0.02)
    assert lost[0] == 0 and lost[10] > 0


def test_what_is_policed_to_a_scavenger_comes_out_of_order_and_to_wred_is_dropped(driver):
    """A tenth of the link is allowed; others take a third of it, so that the elephant's frames are in two queues at once."""
    tenth = (0.1 * PACKET * 8e9 / FRAME_NS, 2 * PACKET)
    sent, lost, order = profiled(driver, {10: 0.66, 0: 0.33}, "10:49,50", (*tenth, 1))
    assert sum(b < a for a, b in zip(order, order[1:])) > 100
    assert lost[10] == 0
    sent, lost, order = profiled(driver, {10: 1.2, 0: 0.3}, "10:60,40", tenth, most_bytes=10**5)
    of_elephant = sent[10] // PACKET
    assert lost[10] > 0.1 * of_elephant and lost[0] == 0


def test_beyond_its_profile_a_flow_is_policed_by_itself(driver):
    """Two flows of the elephants' class, each within its own bucket: nothing is dropped."""
    calls = Calls()
    calls.mark(10)
    for turn in range(1000):
        for source in (1, 2):
            calls.put(turn * 20 * FRAME_NS, source=source, length=PACKET)
            calls.take(turn * 20 * FRAME_NS)
    tenth = 0.1 * PACKET * 8e9 / FRAME_NS
    assert dropped(calls.done(driver, "profiled", most_bytes=10**6, weights="10:60,40", policed=(tenth, 2 * PACKET))) == []


def test_by_priority_the_first_class_that_waits_goes_however_long_others_wait(driver):
    sent, _, _ = profiled(driver, {46: 0.3, 10: 0.6, 0: 0.6}, "46:1,10:1,1", kind="priority")
    whole = sum(sent.values())
    assert sent[46] / whole == pytest.approx(0.3, rel=0.01) and sent[10] / whole == pytest.approx(0.6, rel=0.01)
    assert sent[0] / whole == pytest.approx(0.1, rel=0.05)
    starved, _, _ = profiled(driver, {46: 1, 0: 1}, "46:1,1", kind="priority")
    assert starved[0] == 0


def test_by_priority_a_class_keeps_its_order_and_a_full_one_drops_its_own(driver):
    sent, lost, order = profiled(driver, {46: 0.5, 0: 2}, "46:1,1", kind="priority", most_bytes=50 * PACKET)
    assert lost[0] > 1000 and lost[46] == 0 and sent[46] > 0
    calls = Calls()
    for dscp in (0, 46, 0, 46):
        calls.mark(dscp)
        calls.put(0)
    for _ in range(5):
        calls.take(MS)
    assert taken(calls.done(driver, "priority", weights="46:1,1")) == [1, 3, 0, 2]


# Of 10 Mbit/s, in kbit/s.
RATES = "46:1000,26:6000,3000"


def test_htb_classes_that_all_have_more_get_their_rates(driver):
    sent, _, _ = profiled(driver, {46: 1, 26: 1, 0: 1}, RATES, kind="htb")
    whole = sum(sent.values())
    assert [sent[dscp] / whole for dscp in (46, 26, 0)] == [pytest.approx(part, abs=0.01) for part in (0.1, 0.6, 0.3)]


def test_htb_lends_what_a_class_leaves_in_proportion_to_the_others_rates(driver):
    sent, _, _ = profiled(driver, {46: 1, 26: 0.2, 0: 1}, RATES, kind="htb")
    whole = sum(sent.values())
    assert sent[26] / whole == pytest.approx(0.2, abs=0.01)
    # 0.1 and 0.3 are theirs, and they divide the other 0.4 by one to three.
    assert sent[46] / whole == pytest.approx(0.2, abs=0.02) and sent[0] / whole == pytest.approx(0.6, abs=0.02)
    alone, _, _ = profiled(driver, {0: 2}, RATES, kind="htb")
    assert alone[0] == 4000 * PACKET


def test_htb_a_class_has_its_rate_again_at_once_after_it_has_borrowed(driver):
    """For two seconds the others are silent and it has all of the link; then all come."""
    calls, of = Calls(), []

    def put(turn, dscp):
        calls.mark(dscp)
        calls.put(turn * FRAME_NS, source=dscp + 1, length=PACKET)
        of.append(dscp)

    turns, both, soon = 2400, 1600, 1800
    for turn in range(turns):
        put(turn, 0)
        if turn >= both:
            put(turn, 26)
        calls.take(turn * FRAME_NS)
    results = calls.done(driver, "htb", most_bytes=10**9, weights="26:6000,4000")
    order = taken(results)[both:soon]
    # A quarter of a second of both.
    assert sum(of[frame] == 0 for frame in order) / len(order) == pytest.approx(0.4, abs=0.03)


def test_htb_whoever_is_within_its_rate_waits_for_one_frame_at_most(driver):
    calls, waited = Calls(), []
    for turn in range(2000):
        calls.mark(0)
        calls.put(turn * FRAME_NS, source=1, length=PACKET)
        calls.put(turn * FRAME_NS, source=2, length=PACKET)
        if turn >= 200 and turn % 40 == 0:
            calls.mark(46)
            waited.append((turn, len(calls.frames)))
            calls.put(turn * FRAME_NS, source=3, length=66)
        calls.take(turn * FRAME_NS)
    results = calls.done(driver, "htb", most_bytes=10**9, weights=RATES)
    at = {result["frame"]: turn for turn, result in enumerate(r for r in results if "frame" in r)}
    assert max(at[frame] - turn for turn, frame in waited) <= 1


def test_htb_within_a_class_flows_share_and_codel_drops_what_waits_too_long(driver):
    calls, turns, sent = Calls(), 2000, Counter()
    for turn in range(turns):
        for flow in (1, 2, 2, 2):
            calls.put(turn * FRAME_NS, destination=flow, length=PACKET)
        calls.take(turn * FRAME_NS)
    results = calls.done(driver, "htb", most_bytes=10**9, weights=RATES)
    for frame in taken(results):
        sent[calls.frames[frame][2]] += 1
    assert sent[1] == pytest.approx(sent[2], rel=0.02) and sum(sent.values()) == turns
    assert dropped(results), "they wait for more than 5 ms"
    # Nothing is counted twice, and nothing is forgotten.
    assert results[-1]["backlog"] == PACKET * (4 * turns - turns - len(dropped(results)))
