#!/usr/bin/env bash
# What analysers by others say of high severity about what is no test: FindSecBugs on the bytecode, semgrep with the Java
# rules that come with mobsfscan, bandit on Python, and OWASP's dependency check on the libraries. Exits 1 where one finds something.
# Who is right against an analyser says so where it is: spotbugs-exclude.xml, or `nosemgrep: RULE` in a comment.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
cd "$root"

dependency_check=12.1.9
analysers=.run/analysers
found=0

# analyse NAME COMMAND...
analyse() {
  local name=$1 log=.run/security-$1.log
  shift
  say "security: $name (log: $log)"
  "$@" 3>&2 >"$log" 2>&1 || { cat "$log" && say "security: $name has findings, or could not look" && found=1; }
}

semgrep_rules() {
  local rules # what runs before `||` ends by no failure of its own: hence && here
  rules=$("$analysers/bin/python3" -c 'import mobsfscan, pathlib; print(pathlib.Path(mobsfscan.__file__).parent / "rules/semgrep")') &&
    PATH="$PWD/$analysers/bin:$PATH" semgrep scan --metrics=off --disable-version-check --error --severity ERROR \
    --config "$rules/java" --config "$rules/best_practices" --exclude src/test --json-output=.run/semgrep.json . &&
    # It says nothing at all where it found no file to read.
    "$analysers/bin/python3" -c 'import json; assert json.load(open(".run/semgrep.json"))["paths"]["scanned"], "no file was read"'
}

# Its advisories come from the Internet (NVD, CISA): where they cannot be had, nothing is said of the libraries.
dependencies() {
  local code=0
  mvn -ntp -B "org.owasp:dependency-check-maven:$dependency_check:aggregate" -DskipProvidedScope=true -DfailBuildOnCVSS=7 -DdataDirectory="$PWD/.run/advisories" || code=$?
  if [ "$code" != 0 ] && grep -q 'NoDataException' .run/security-dependencies.log; then
    say "security: no library is checked, for no advisories can be had from here. Maybe on a machine that reaches nvd.nist.gov." 2>&3
    return 0
  fi
  return "$code"
}

need_packages
need_environment "$analysers" tools/checks/requirements.txt "analysers (semgrep, bandit; a minute)"
analyse findsecbugs tools/checks/spotbugs.sh --security
analyse semgrep semgrep_rules
analyse bandit "$analysers/bin/bandit" -q -lll -r tools yang -x '*/tests/*,*/target/*,*/node_modules/*'
analyse dependencies dependencies
[ "$found" = 0 ] || fail "security: there are findings of high severity"
