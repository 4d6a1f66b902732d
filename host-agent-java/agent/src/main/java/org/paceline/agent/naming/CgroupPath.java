package org.paceline.agent.naming;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the path of a control group says of who runs in it: systemd names its units in it, container
 * runtimes their containers. Sources: systemd's "Control Group APIs and Delegation", docker's and
 * podman's cgroup drivers, the kubelet's and CRI runtimes' scopes, lxc.container.conf(5).
 */
public record CgroupPath(String text) {
  private static final Pattern UNIT = Pattern.compile(".+\\.(?:service|scope|slice|socket|mount)");
  private static final String SLICE = ".slice";

  // A monitor that waits beside a container (conmon, lxc.monitor) is not in it.
  private static final Pattern SCOPE =
      Pattern.compile(
          "(?:docker|libpod|cri-containerd|crio|nerdctl)-([0-9a-f]{12,64})(?:\\.scope)?");
  private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");
  private static final Set<String> PAYLOADS = Set.of("lxc", "lxc.payload");
  private static final Pattern PAYLOAD = Pattern.compile("lxc\\.payload\\.(.+)");
  private static final Pattern MACHINE = Pattern.compile("machine-(.+)\\.scope");

  /** Every unit of systemd's on the path, the outermost first. */
  public List<String> units() {
    return parts().filter(part -> UNIT.matcher(part).matches()).toList();
  }

  /** The innermost unit that is no slice: of a user's session, what runs in it. */
  public Optional<String> unit() {
    return units().stream().filter(unit -> !unit.endsWith(SLICE)).reduce((a, b) -> b);
  }

  /**
   * The innermost container: the id of docker's, podman's and containerd's, as it is in the path;
   * the name of lxc's and systemd-nspawn's.
   */
  public Optional<String> container() {
    Optional<String> found = Optional.empty();
    String before = "";
    for (String part : parts().toList()) {
      Matcher scope = SCOPE.matcher(part);
      Matcher payload = PAYLOAD.matcher(part);
      Matcher machine = MACHINE.matcher(part);
      if (scope.matches()) {
        found = Optional.of(scope.group(1));
      } else if (payload.matches()) {
        found = Optional.of(payload.group(1));
      } else if (machine.matches()) {
        found = Optional.of(machine.group(1).replace("\\x2d", "-"));
      } else if (ID.matcher(part).matches() || PAYLOADS.contains(before)) {
        found = Optional.of(part);
      }
      before = part;
    }
    return found;
  }

  private Stream<String> parts() {
    // systemd puts an underscore before what could be taken for a file of the kernel's.
    return Stream.of(text.split("/", -1))
        .filter(part -> !part.isEmpty())
        .map(part -> part.startsWith("_") ? part.substring(1) : part);
  }
}
