import pytest
from paceline_lab import options
from paceline_lab.demo import rivals
from paceline_lab.networks import ovs
from paceline_lab.traffic.mix import KINDS


def refused(capsys, *words):
    with pytest.raises(SystemExit) as end:
        options.parse(["demo", *words])
    assert end.value.code == 2
    return capsys.readouterr().err


def test_the_defaults_are_the_papers():
    chosen = options.parse(["demo"])
    assert chosen.applications == 40
    assert chosen.seconds == 60
    assert chosen.bottleneck.bits_per_second == 100_000_000
    assert chosen.bottleneck.fifo_bytes == 1_000_000


@pytest.mark.parametrize(
    "text, rate", [("100mbit", 100_000_000), ("20000kbit", 20_000_000), ("2.5Mbit", 2_500_000), ("50mbit/s", 50_000_000)]
)
def test_rates_are_read_with_their_units(text, rate):
    assert options.parse(["demo", "--bottleneck", text]).bottleneck.bits_per_second == rate


@pytest.mark.parametrize("text", ["0mbit", "100", "fast", "-5mbit", "10gbit", ""])
def test_a_rate_that_cannot_be_is_refused_with_a_way_out(capsys, text):
    assert "Maybe 100mbit" in refused(capsys, f"--bottleneck={text}")


@pytest.mark.parametrize("text", ["0", "-1", "many", "1000000", "4.5"])
def test_a_number_of_applications_that_cannot_be_is_refused(capsys, text):
    assert "applications" in refused(capsys, f"--applications={text}")


@pytest.mark.parametrize("text", ["0", "nan", "soon"])
def test_a_time_that_cannot_be_is_refused(capsys, text):
    assert "--seconds" in refused(capsys, f"--seconds={text}")


def test_nobody_manages_without_a_controller(capsys):
    assert "without a controller nobody manages" in refused(capsys, "--controller", "none")


def test_without_a_word_there_are_no_rivals():
    assert options.parse(["demo"]).rivals == ()


def test_rivals_are_listed_or_repeated_and_each_runs_once():
    words = ["demo", "--rival", "bbr, fq-codel", "--rival", "per-user", "--rival", "bbr"]
    assert options.parse(words).rivals == ("bbr", "fq-codel", "per-user")


def test_rivals_need_no_controller():
    words = ["demo", "--controller", "none", "--mode", "best-effort", "--rival", "per-user"]
    assert options.parse(words).rivals == ("per-user",)


@pytest.mark.parametrize("text", ["cake", "", "fq-codel,red", "fq_codel", "fq-codel,"])
def test_a_rival_that_is_not_known_is_refused_with_those_that_are(capsys, text):
    assert "Maybe fq-codel, per-user, bbr" in refused(capsys, f"--rival={text}")


def test_a_congestion_control_that_the_kernel_lacks_is_named_before_anything_is_made(tmp_path):
    available = tmp_path / "available"
    available.write_text("reno cubic\n")
    rivals.require_congestion_control("cubic", available)
    with pytest.raises(ovs.Missing, match="no congestion control nosuch, only reno, cubic. Maybe leave out the rival nosuch"):
        rivals.require_congestion_control("nosuch", available)


@pytest.mark.parametrize("text", ["0", "11", "-1", "twice", "2.5"])
def test_repeats_that_cannot_be_are_refused(capsys, text):
    assert "must be from 1 to 10. Maybe 5" in refused(capsys, f"--repeats={text}")


def test_an_administrators_classes_are_all_types_and_divide_the_whole_link():
    assert set(rivals.SHARES) == set(rivals.DSCPS) == set(KINDS)
    weights = rivals.RIVALS["htb"].weights(100_000_000).split(",")
    assert weights[0] == "48+46:5000" and weights[-1] == "5000"
    assert sum(int(one.split(":")[-1]) for one in weights) == 100_000
    assert len(set(rivals.DSCPS.values())) == len(KINDS)


def test_cleaning_needs_no_options():
    assert isinstance(options.parse(["clean"]), options.Clean)


def test_the_northbound_bench_asks_for_what_is_to_be_reached():
    chosen = options.parse(["northbound"])
    assert (chosen.conversations, chosen.rate, chosen.heap) == (10_000, 50, "4g")


@pytest.mark.parametrize(("option", "way_out"), [("--heap=4", "Maybe 4g"), ("--conversations=3", "from 10"), ("--rate=0", "a second")])
def test_a_northbound_bench_that_cannot_be_is_refused(capsys, option, way_out):
    with pytest.raises(SystemExit):
        options.parse(["northbound", option])
    assert way_out in capsys.readouterr().err


def test_aqos_has_ten_intervals_in_the_seconds_asked_for_and_runs_all_of_it():
    chosen = options.parse(["demo", "--scenario", "aqos", "--seconds", "200"])
    assert (chosen.interval_s, chosen.experiments, chosen.protocols) == (20, (20, 30, 40, 50), ("udp", "tcp"))
    assert chosen.modes == ("queues", "static-meters", "hybrid", "adaptive") and chosen.managed
    assert str(chosen.out) == "out/aqos" and str(options.parse(["demo"]).out) == "out/demo"


def test_of_aqos_a_part_may_be_asked_for():
    chosen = options.parse(["demo", "--scenario", "aqos", "--experiments", "50, 20", "--protocols", "tcp", "--mode", "best-effort"])
    assert (chosen.experiments, chosen.protocols, chosen.managed) == ((20, 50), ("tcp",), False)
    assert options.parse(["demo", "--scenario", "aqos", "--mode", "managed"]).modes == ("adaptive",)


def test_a_part_of_aqos_that_is_not_known_is_refused_with_what_there_is(capsys):
    assert "Maybe 20, 30, 40, 50" in refused(capsys, "--scenario=aqos", "--experiments=25")
    assert "Maybe udp, tcp" in refused(capsys, "--scenario=aqos", "--protocols=sctp")


@pytest.mark.parametrize("words", [("--scenario=aqos", "--applications=30"), ("--scenario=aqos", "--keep"), ("--experiments=20",)])
def test_what_says_nothing_to_a_scenario_is_refused(capsys, words):
    assert "says nothing to --scenario" in refused(capsys, *words)


def test_diffperf_has_a_part_of_the_papers_clients_and_all_of_its_numbers():
    chosen = options.parse(["demo", "--scenario", "diffperf"])
    assert (chosen.clients, chosen.alphas, chosen.gammas, chosen.buffers) == (20, (0.5, 1, 2, 5), (0, 0.5, 1), (1_000_000,))
    assert chosen.segments == 30 and chosen.rivals and chosen.managed
    some = options.parse(["demo", "--scenario", "diffperf", "--alphas=none", "--gammas=0", "--buffers=1e5,1e6", "--congestion=bbr,cubic", "--mode=best-effort"])
    assert (some.alphas, some.gammas, some.buffers, some.congestion_controls, some.managed) == ((), (0,), (100_000, 1_000_000), ("cubic", "bbr"), False)


def test_diffperf_has_the_papers_beta_and_its_text_s_mean_unless_it_is_told_others():
    usual = options.parse(["demo", "--scenario", "diffperf"])
    assert (usual.betas, usual.lower_means) == ((-0.25,), ("F-minus",))
    some = options.parse(["demo", "--scenario", "diffperf", "--betas", "0,-0.5,-1", "--lower-means=F-lower,F-minus"])
    assert not some.arrivals and options.parse(["demo", "--scenario", "diffperf", "--arrivals", "--clients=12"]).arrivals
    assert (some.betas, some.lower_means) == ((0, -0.5, -1), ("F-minus", "F-lower"))


def test_arrivals_need_two_sizes_and_paceline(capsys):
    assert "at least 12 clients" in refused(capsys, "--scenario=diffperf", "--arrivals", "--clients=11")
    assert "Paceline" in refused(capsys, "--scenario=diffperf", "--arrivals", "--mode=best-effort")


@pytest.mark.parametrize("word", ["--betas=0.5", "--lower-means=mean", "--clients=2", "--clients=many", "--alphas=0", "--alphas=x", "--gammas=1.5", "--buffers=1", "--repeats=2", "--protocols=udp"])
def test_a_diffperf_that_cannot_be_is_refused(capsys, word):
    assert "Maybe" in refused(capsys, "--scenario=diffperf", word)


def test_a_soak_of_schemes_names_them_or_has_all():
    assert options.parse(["soak"]).schemes == () and options.parse(["soak"]).rate == 20
    chosen = options.parse(["soak", "--schemes"])
    assert chosen.schemes == options.SCHEMES and chosen.rate == 1
    assert chosen.command == "tools/paceline soak --schemes utility-fair,service-classes,adaptive-reservations --minutes 120 --rate 1 --seed 1"
    assert options.parse(["soak", "--schemes", "service-classes,utility-fair"]).schemes == ("utility-fair", "service-classes")


def test_a_scheme_that_is_not_known_is_refused_with_those_that_are(capsys):
    with pytest.raises(SystemExit):
        options.parse(["soak", "--schemes", "fair"])
    assert "the scheme (fair) is not known. Maybe utility-fair, service-classes, adaptive-reservations" in capsys.readouterr().err
