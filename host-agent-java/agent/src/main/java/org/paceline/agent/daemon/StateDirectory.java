package org.paceline.agent.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;
import org.paceline.agent.runtime.CannotRun;

/**
 * Where an agent writes down what the one after it must know, and where it answers. What stands
 * there is believed and acted upon, so nobody else may write there.
 */
final class StateDirectory {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OTHERS_WRITE =
      Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  private static final Path SELF = Path.of("/proc/self");

  private StateDirectory() {}

  /**
   * /run for root; else a directory of this user's alone below XDG_RUNTIME_DIR, the home, or, for
   * who has neither, the one for temporary files.
   *
   * @throws CannotRun if it is another user's, or others may write there
   */
  static Path find() throws IOException {
    return find(
        Path.of("/run"),
        Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR")).filter(text -> !text.isBlank()),
        Path.of(System.getProperty("user.home")),
        Path.of(System.getProperty("java.io.tmpdir")));
  }

  static Path find(Path run, Optional<String> runtime, Path home, Path temporary)
      throws IOException {
    if (Files.isWritable(run)) {
      return run;
    }
    Path directory =
        runtime
            .map(session -> Path.of(session).resolve("paceline"))
            .or(() -> Optional.of(home.resolve(".paceline")).filter(h -> Files.isWritable(home)))
            .orElse(temporary.resolve("paceline-" + Files.getAttribute(SELF, "unix:uid")));
    Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    mustBeOursAlone(directory);
    return directory;
  }

  private static void mustBeOursAlone(Path directory) throws IOException {
    UserPrincipal owner = Files.getOwner(directory);
    boolean isOpen =
        Files.getPosixFilePermissions(directory).stream().anyMatch(OTHERS_WRITE::contains);
    if (isOpen || !owner.equals(ourselves(directory))) {
      throw new CannotRun(
          "The directory for the agent's state ("
              + directory
              + ") is "
              + owner.getName()
              + "'s"
              + (isOpen ? " and others may write there" : "")
              + ", so somebody else could say what this agent does. Maybe remove it, or set"
              + " XDG_RUNTIME_DIR to one that only this user may write to.");
    }
  }

  /** Who owns what this process makes: its user may have no name. */
  private static UserPrincipal ourselves(Path directory) throws IOException {
    Path made = Files.createTempFile(directory, "owner", "");
    try {
      return Files.getOwner(made);
    } finally {
      Files.delete(made);
    }
  }
}
