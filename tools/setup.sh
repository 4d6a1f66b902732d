# What Paceline's commands need, installed or built where it is missing. Sourced, not run.

# Debian packages of the lab: the switch, what stores its flow records, the network emulator's tools, the real servers and clients; yanglint for the YANG modules; what compiles and
# loads the agent's program for the kernel, and another kernel to try it on; what the agent's package is tried with, which images of
# containers lack.
lab_packages="openvswitch-switch nfdump mininet gcc libc6-dev nftables iproute2 ethtool nginx-light openssh-server openssh-client python3-venv iputils-ping curl libyang2-tools clang llvm libbpf-dev bpftool kmod user-mode-linux lintian systemd"

say() { printf 'paceline: %s\n' "$*" >&2; }

# Maven ends with an exit code of its own, which is no failed build.
trap 'say "interrupted; what is made by half is made anew the next time"; exit 130' INT TERM

fail() {
  say "$1"
  exit "${2:-1}"
}

wants_help() {
  local word
  for word in "$@"; do
    case "$word" in -h | --help) return 0 ;; esac
  done
  return 1
}

need_root() { [ "$(id -u)" = 0 ] || fail "this command makes network namespaces and needs root. Maybe use sudo." 2; }

need_java() {
  command -v javac >/dev/null || fail "no JDK found. Maybe: apt-get install openjdk-17-jdk-headless" 2
  command -v mvn >/dev/null || fail "no Maven found. Maybe: apt-get install maven" 2
}

# need_packages [PACKAGE ...]: installs what is missing of these; of all that the lab needs where none is named.
need_packages() {
  local missing="" package
  for package in ${*:-$lab_packages}; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  [ "$(id -u)" = 0 ] ||
    fail "Debian packages are missing, and only root can install them. Maybe: sudo apt-get install --no-install-recommends$missing" 2
  local log=$root/.run/packages.log
  mkdir -p "$root/.run"
  say "installing Debian packages (a minute or two; log: .run/packages.log):$missing"
  # Services that packages bring stay off: the lab starts its own in its own namespaces. Whoever has such a rule already keeps
  # it, as images of containers do. One that a killed run of ours has left is told by its mark.
  local policy=/usr/sbin/policy-rc.d mark="# until Paceline's packages are installed"
  if [ ! -e $policy ] || grep -qF "$mark" $policy; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\n%s\nexit 101\n' "$mark" >$policy && chmod +x $policy
  fi
  apt-get -qq update >"$log" 2>&1 || packages_failed "$log"
  # A fresh machine installs its updates by itself in the first minutes: dpkg's lock is waited for.
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends $missing >>"$log" 2>&1 ||
    packages_failed "$log"
  ! grep -qsF "$mark" $policy || rm -f $policy
  trap - EXIT
}

packages_failed() {
  tail -n 20 "$1" >&2
  fail "the packages are not installed; the lines above say why. Maybe this machine has no way to Debian's archive, or is no Debian."
}

lab_python() { printf '%s' "$root/.venv/bin/python3"; }

need_python() {
  local requirements=$root/tools/lab/requirements.txt stamp=$root/.venv/requirements
  if ! cmp -s "$requirements" "$stamp"; then
    need_packages python3-venv
    say "making the Python environment"
    /usr/bin/python3 -m venv --clear --system-site-packages "$root/.venv"
    "$root/.venv/bin/pip" install -q --disable-pip-version-check -r "$requirements" >&2
    cp "$requirements" "$stamp"
  fi
}

# need_environment FOLDER REQUIREMENTS WHAT: a Python environment of its own, for what nothing else needs.
need_environment() {
  if cmp -s "$2" "$1/requirements"; then return; fi
  say "fetching $3"
  /usr/bin/python3 -m venv --clear "$1"
  "$1/bin/pip" install -q --disable-pip-version-check -r "$2" >&2
  cp "$2" "$1/requirements"
}

need_simulator() { need_environment "$root/.run/ns3" "$root/tools/wireless/requirements.txt" "the simulator ns-3 of wireless cells (69 MB; a minute or two)"; }

# unchanged_since FILE: whether the file is there, and nothing that is built is newer. What is gone shows by its folder's time,
# but for Python's folders, in which an import leaves one more: else a test would build anew what others use.
unchanged_since() {
  [ -e "$1" ] && [ -z "$(cd "$root" && find pom.xml .mvn intents-api intents-json flow-records allocator yang host-agent-java app cli tools -newer "$(realpath "$1")" \( -type f -o -type d -path '*/src/*' -not -path '*/python' -not -path '*/python/*' \) \
    -not -path '*/target/*' -not -path '*/__pycache__/*' -not -path '*/.pytest_cache/*' -not -path 'tools/lab/*' -not -name '.flattened-pom.xml' -print -quit)" ]
}

# Builds modules and what they need, unless nothing below the source folders is newer than the last build of these.
build() {
  need_java
  local name stamp
  name=$(printf '%s' "$*" | tr -c 'a-z0-9\n' _)
  stamp=$root/.run/built-$name
  if unchanged_since "$stamp"; then return; fi
  mkdir -p "$root/.run"
  touch "$stamp.new"
  say "building $* (the first time this also fetches libraries: a few minutes)"
  (cd "$root" && mvn -q -ntp -B package -Dquick -DskipTests -Dspotless.check.skip -pl "$(printf '%s' "$*" | tr ' ' ,)" -am >&2) ||
    fail "the build failed; the lines above say where"
  mv "$stamp.new" "$stamp"
  case " $* " in *" tools/onos/assembly "*) note_assembled ;; esac
}

# Else onosctl would have Maven assemble ONOS once more.
note_assembled() { python3 "$root/tools/onos/onosctl.py" build --done; }

# For who has built everything by Maven itself, since before this file was touched.
mark_built() {
  local name
  for name in app_onos_tools_onos_assembly app_onos_host_agent_java_agent_tools_onos_assembly_tools_clients_tools_elephants; do
    cp -p "$1" "$root/.run/built-$name"
  done
  note_assembled
}

need_jar() { build "$1"; }

need_onos() { build app/onos tools/onos/assembly; }

need_lab() {
  need_root
  need_java
  need_packages
  need_python
  build app/onos host-agent-java/agent tools/onos/assembly tools/clients tools/elephants
  # So what need_onos asks for is there, too.
  local all=$root/.run/built-app_onos_host_agent_java_agent_tools_onos_assembly_tools_clients_tools_elephants onos=$root/.run/built-app_onos_tools_onos_assembly
  [ ! "$all" -nt "$onos" ] || cp -p "$all" "$onos"
}

app_archive() { find "$root/app/onos/target" -maxdepth 1 -name '*.oar' 2>/dev/null | head -n 1; }
