"""What ONOS's log says of a start that will never be ready."""

import pytest
from onos_runtime.failures import has_framework_errors, missed_a_feature, started_by_half
from onos_runtime.settings import Settings


@pytest.fixture
def settings(tmp_path):
    made = Settings(tmp_path)
    made.log_file.parent.mkdir(parents=True)
    return made


@pytest.mark.parametrize("line, why", [
    ("2026-11-25T20:07:26,088 | ERROR | paxweb-extender-2-thread-1 | WebAppPublisher | 88 | Error deploying web application", "REST"),
    ("2026-11-26T14:25:27,581 | ERROR | paxweb-extender-2-thread-1 | HttpServiceStarted | 92 | Exception finalizing HttpContext registration", "REST"),
    ("java.lang.IllegalStateException: Could not obtain lock", "blocked each other"),
    ("2026-11-28T19:12:53 | ERROR | activator-1-thread-2 | BootFeaturesInstaller | 13 | Error installing boot feature repository mvn:x", "its features"),
])  # fmt: skip
def test_what_another_start_helps_against_is_known(settings, line, why):
    settings.log_file.write_text(f"2026-11-25T20:07:24 | INFO | all is well\n{line}\n")
    assert why in started_by_half(settings)


def test_a_start_that_goes_on_is_left_alone(settings):
    assert started_by_half(settings) is None
    settings.log_file.write_text("2026-11-25T20:07:24 | WARN | No storage nodes found in cluster metadata!\n")
    assert started_by_half(settings) is None


def test_errors_of_the_framework_are_seen(settings):
    assert not has_framework_errors(settings)
    line = "2026-11-26T12:00:21,347 | ERROR | FelixDispatchQueue | FrameworkEvent | 171 - org.onosproject.onos-cli - 2.5.0 | FrameworkEvent ERROR"
    settings.log_file.write_text(f"{line} - org.onosproject.onos-cli\n")
    assert has_framework_errors(settings)


def test_a_feature_that_was_not_known_yet_is_seen_and_only_in_what_was_said_since(settings):
    line = (
        "org.apache.felix.resolver.reason.ReasonException: Unable to resolve root: missing requirement [root] osgi.identity; osgi.identity=paceline-app;"
        " [caused by: Unable to resolve paceline-app/0.1.0: missing requirement [paceline-app/0.1.0] osgi.identity; osgi.identity=onos-api; type=karaf.feature]"
    )
    settings.log_file.write_text(f"{line}\n2026-11-26T17:41:00 | INFO | all is well\n")
    assert missed_a_feature(settings, 0) and not missed_a_feature(settings, 1)
    settings.log_file.write_text("Unable to resolve paceline-app: missing requirement [paceline-app] osgi.wiring.package\n")
    assert not missed_a_feature(settings, 0)
