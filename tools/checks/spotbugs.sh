#!/usr/bin/env bash
# SpotBugs on the bytecode of all modules at once: a run for each would read the JDK's and the libraries' classes anew, and take nine times as long.
# What it is not asked for is in spotbugs-exclude.xml. Exits 1 where it finds something of medium severity, and names it.
# With --security it has FindSecBugs's detectors, too, and asks for high severity: most of what these say below that is of every process started and every random number.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

own=tools/checks/target/classpath
[ -e $own ] || { echo "the modules are not built with their checks. Maybe: mvn package -DskipTests" >&2 && exit 2; }
asked=(-medium)
if [ "${1:-}" = --security ]; then asked=(-high -pluginList "$(tr ':' '\n' <$own | grep findsecbugs)"); fi
# The application's sources are there twice, once compiled against another ONOS.
modules=$(find . -path ./tools/onos/compatibility -prune -o -path '*/target/classpath' -printf '%h\n' | sort)
libraries=$(mktemp)
trap 'rm -f "$libraries"' EXIT
for module in $modules; do tr ':' '\n' <"$module/classpath" && echo; done | grep . | sort -u >"$libraries"
classes=$(for module in $modules; do find "$module" -maxdepth 1 -name classes; done)
# shellcheck disable=SC2086
java -Xmx1500m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(tr ':' '\n' <$own | grep -v findsecbugs | paste -sd :)" \
  edu.umd.cs.findbugs.FindBugs2 "${asked[@]}" -exclude tools/checks/spotbugs-exclude.xml -auxclasspathFromFile "$libraries" -exitcode $classes
