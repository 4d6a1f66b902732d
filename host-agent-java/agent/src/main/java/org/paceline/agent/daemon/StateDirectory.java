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

  private StateDirectory() {}

  /**
   * /run for root; else a directory of this user's alone below XDG_RUNTIME_DIR or the home. None
   * among temporary files: anybody could have made one of a known name before, and one of a random
   * name the next agent would not find, so that two could pace in one namespace.
   *
   * @throws CannotRun if there is none, it is another user's, or others may write there
   */
  static Path find() throws IOException {
    return find(
        Path.of("/run"),
        Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR")).filter(text -> !text.isBlank()),
        Path.of(System.getProperty("user.home")));
  }

  static Path find(Path run, Optional<String> runtime, Path home) throws IOException {
    if (Files.isWritable(run)) {
      return run;
    }
    Path directory =
        runtime
            .map(session -> Path.of(session).resolve("paceline"))
            .or(() -> Optional.of(home.resolve(".paceline")).filter(h -> Files.isWritable(home)))
            .orElseThrow(() -> nowhere(run, home));
    Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    mustBeOursAlone(directory);
    return directory;
  }

  private static CannotRun nowhere(Path run, Path home) {
    return new CannotRun(
        "There is no directory for the agent's state: this user may not write to ("
            + run
            + ") or to its home ("
            + home
            + "), and XDG_RUNTIME_DIR is not set. Maybe run the agent as root, or set"
            + " XDG_RUNTIME_DIR to a directory below "
            + run
            + " that only this user may write to.");
  }

  private static void mustBeOursAlone(Path directory) throws IOException {
    UserPrincipal owner = Files.getOwner(directory);
    boolean isOpen =
        Files.getPosixFilePermissions(directory).stream().anyMatch(OTHERS_WRITE::contains);
    // Where nothing can be made, nothing says who we are; ours would let us.
    if (isOpen || !Files.isWritable(directory) || !owner.equals(ourselves(directory))) {
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
