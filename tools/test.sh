#!/usr/bin/env bash
# All tests: the Java modules', the Python packages', and end to end on real ONOS and mininet. --quick leaves the last out.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
cd "$root"

case "${1:-}" in
  -h | --help)
    echo "usage: tools/paceline test [--quick]"
    exit 0
    ;;
esac

quick=0
[ "${1:-}" = --quick ] && quick=1

need_java
[ "$quick" = 1 ] || need_root
need_packages
need_python

mkdir -p .run
log=.run/test-maven.log
say "1/2 Java: build, style, architecture, unit and property tests (log: $log)"
if ! mvn -ntp -B verify >"$log" 2>&1; then
  # What failed comes last, as only the end of a long log is kept by some runners: each failed test with its reason,
  # which is long where it is what another kernel has said.
  tail -n 20 "$log"
  grep -E -A 60 '<<< (FAILURE|ERROR)!|COMPILATION ERROR|^\[ERROR\] (/.*\.java|(High|Medium): )' "$log" | head -n 300 || true
  fail "the Java tests failed; reports are below each module's target/surefire-reports"
fi
grep -E '^\[(INFO|WARNING)\] (Tests run:.*[0-9]$|BUILD|Paceline.*SUCCESS)' "$log"

say "2/2 Python: YANG modules; the lab and the runtime, end to end on real ONOS and mininet"
marks=()
[ "$quick" = 0 ] || marks=(-m "not e2e")
"$(lab_python)" -m pytest -c tools/pytest.ini "${marks[@]}" yang/tests tools/onos/tests tools/lab/tests
