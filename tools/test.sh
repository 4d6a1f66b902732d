#!/usr/bin/env bash
# The tests, in three tiers: unit (no root), kernel (root, real queues, no ONOS), end to end (real ONOS, Open vSwitch, mininet).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
cd "$root"

usage() {
  cat <<'TEXT'
usage: tools/paceline test [--unit] [--kernel] [--e2e] [--long] [NAME]

Sets up what is needed, then runs all tests, or those of the tiers named:
  --unit    Java: style, architecture, unit and property tests, SpotBugs; Python: what needs no root
  --kernel  the agent on real queues, in network namespaces (root)
  --e2e     real ONOS with switches, agents and traffic (root)
  --long    what takes long, and only that: a cut of ten minutes, fuzzing ten-thousandfold, every interleaving; of all tiers (root)
  NAME      one Java test class (LayersTest, or LayersTest#aLayerUsesOnlyThoseBeforeIt) or one Python file (test_shadow.py, or test_shadow.py::test_...)
TEXT
}

tiers="" name=""
for word in "$@"; do
  case "$word" in
    -h | --help) usage && exit 0 ;;
    --unit | --kernel | --e2e | --long) tiers="$tiers ${word#--}" ;;
    -*) usage >&2 && fail "there is no option $word. Maybe --unit, --kernel, --e2e or --long." 2 ;;
    *) name=$word ;;
  esac
done
[ -n "$tiers" ] || tiers="unit kernel e2e"
has() { case " $tiers " in *" $1 "*) true ;; *) false ;; esac; }

# What is not packed yet, others cannot be tested with; these have no tests.
without_tests='!tools/onos/core-dist,!tools/onos/assembly,!tools/clients'

# Builds all with the compiler's checks, unless nothing is newer than what was built so and then passed.
build_checked() {
  if unchanged_since .run/checked; then return; fi
  touch .run/built.new
  say "Java: build (log: .run/build.log)"
  java_run .run/build.log package -T 3 -DskipTests
  mark_built .run/built.new
}

# The tests alone: whatever is built and packed stays as it is, for others use it meanwhile. Maven would compile anew
# whatever uses a module that lies there as classes now and as a jar before; and protoc makes its sources each time.
as_built=(-Dmaven.compiler.useIncrementalCompilation=false -Dprotoc.skip -Dmdep.skip)
kernel_tests() {
  say "Java: the agent on real queues (log: .run/test-kernel.log)"
  java_run .run/test-kernel.log process-test-classes surefire:test@kernel -Dunit.skip -Dspotless.check.skip "${as_built[@]}" -pl host-agent-java/agent -am
}

# java_run LOG MAVEN_GOAL_OR_ARGUMENT...
java_run() {
  local log=$1 code=0
  shift
  mvn -ntp -B "$@" >"$log" 2>&1 || code=$?
  java_outcome "$log" "$code"
}

# java_outcome LOG EXIT_CODE
# What failed comes last, as only the end of a long log is kept by some runners: each failed test with its reason,
# which is long where it is what another kernel has said.
java_outcome() {
  if [ "$2" != 0 ]; then
    tail -n 20 "$1"
    grep -E -A 60 '<<< (FAILURE|ERROR)!|COMPILATION ERROR|^\[ERROR\] (/.*\.java|(High|Medium): )' "$1" | head -n 300 || true
    fail "Maven failed (log: $1); reports are below each module's target/surefire-reports"
  fi
  grep -E '^\[(INFO|WARNING)\] (Tests run:.*[0-9]$|BUILD|Paceline.*SUCCESS)' "$1"
}

python_tests() { "$(lab_python)" -m pytest -c tools/pytest.ini "$@"; }

one_test() {
  local file module
  case "$name" in
    *.py | *.py::*)
      file=$(find yang/tests tools/*/tests -name "$(basename "${name%%::*}")")
      [ -n "$file" ] || fail "there is no test file ${name%%::*}. Maybe: find . -name 'test_*.py'" 2
      if grep -q 'mark.e2e' "$file"; then
        need_lab
        python3 tools/onos/onosctl.py build # here, as the tests' own network has no way to Maven's repository
      else
        need_python
      fi
      python_tests -m "" "$file${name#"${name%%::*}"}"
      ;;
    *)
      file=$(git ls-files "*/${name%%#*}.java" | head -n 1)
      [ -n "$file" ] || fail "there is no test class ${name%%#*}. Maybe: find . -name '*Test.java'" 2
      module=${file%%/src/*}
      need_java
      mvn -ntp -B -q verify -pl "$module" -am -Dtest="$name" -Dunit.tests='!kernel' -Dkernel.tests=kernel -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip
      say "$name has passed"
      ;;
  esac
}

if [ -n "$name" ]; then
  one_test
  exit 0
fi

need_java
if has kernel || has e2e || has long; then need_root; fi
need_packages
need_python

mkdir -p .run
if has unit; then build_checked; fi
if has long; then need_simulator; fi
if has kernel || has e2e || has long; then need_lab; fi # builds nothing where all has just been built

# Here, as the tests' own network has no way to Maven's repository, and nothing else builds below tools/onos.
if has e2e || has long; then python3 tools/onos/onosctl.py build; fi

unit="" bugs=""
if has unit; then
  # Beside all others, which wait for real time a third of the time and more, and with what these leave of the processor: they say
  # within which time something must happen, and the unit tests do not.
  left_over=()
  if has kernel || has e2e; then left_over=(chrt --idle 0); fi
  trap 'for group in $unit $bugs; do kill -TERM -- "-$group" 2>/dev/null; done' EXIT
  say "Java: style, architecture, unit and property tests (log: .run/test-unit.log)"
  # Three modules at a time, as some tests wait.
  setsid "${left_over[@]}" mvn -ntp -B test -T 3 -Dkernel.skip -pl "$without_tests" "${as_built[@]}" >.run/test-unit.log 2>&1 &
  unit=$!
  # It has nothing new to say of what is as it was when it last found nothing.
  if [ -e .run/built.new ]; then
    say "Java: SpotBugs (log: .run/spotbugs.log)"
    setsid "${left_over[@]}" tools/checks/spotbugs.sh >.run/spotbugs.log 2>&1 &
    bugs=$!
  fi
fi
# Whoever fails, the others' word is heard, too.
python=0
if has unit; then
  say "Python: what the linter sees"
  .venv/bin/ruff check --quiet --no-cache --config tools/ruff.toml tools yang || python=$?
fi
if has kernel; then kernel_tests; fi
if has long; then
  say "Java: what takes long (log: .run/test-long.log)"
  java_run .run/test-long.log verify -Dunit.tests='long & !kernel' -Dkernel.tests='long & kernel' -Dspotless.check.skip
  tools/checks/security.sh
fi
if has long; then
  say "Python: what takes long"
  python_tests -m long tools/lab/tests || python=$?
fi
if has e2e; then
  marks="not long"
  has unit || marks="e2e and not long"
  say "Python: YANG modules; the lab and the runtime, end to end on real ONOS and Open vSwitch"
  # Four side by side: with three, two processors idled for a fourth of the time.
  python_tests -n 4 --dist loadgroup --no-loadscope-reorder -m "$marks" yang/tests tools/onos/tests tools/lab/tests || python=$?
elif has unit; then
  say "Python: YANG modules, the lab's and the runtime's own"
  python_tests -n 2 --dist loadgroup -m "not e2e and not long" yang/tests tools/onos/tests tools/lab/tests || python=$?
fi
if [ -n "$unit" ]; then
  say "Java: what the unit tests said meanwhile"
  code=0 found=0
  wait "$unit" || code=$?
  [ -z "$bugs" ] || wait "$bugs" || found=$?
  trap - EXIT
  java_outcome .run/test-unit.log "$code"
  [ "$found" = 0 ] || { cat .run/spotbugs.log && fail "SpotBugs finds what is named above. What it is not asked for, with reasons: tools/checks/spotbugs-exclude.xml"; }
fi
[ "$python" = 0 ] || fail "the Python tests named above have failed"
if has unit && [ -e .run/built.new ]; then mv .run/built.new .run/checked; fi
