package org.paceline.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.runtime.CannotRun;

final class StateDirectoryTest {
  private static final int NOBODY = 65_534;

  @TempDir private Path home = Path.of("");

  /** As for whoever is not root. */
  private Path notWritable() {
    return home.resolve("nowhere");
  }

  private Path find(Optional<String> runtime) throws IOException {
    return StateDirectory.find(notWritable(), runtime, home);
  }

  @Test
  void rootsIsTheSystems() throws IOException {
    assertThat(StateDirectory.find(home, Optional.of("/x"), home)).isEqualTo(home);
  }

  @Test
  void anotherUsersIsMadeForHimAlone() throws IOException {
    Path found = find(Optional.empty());
    assertThat(found).isEqualTo(home.resolve(".paceline"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(found)))
        .isEqualTo("rwx------");
    assertThat(find(Optional.empty())).isEqualTo(found);
  }

  @Test
  void aSessionHasOneThatEndsWithIt() throws IOException {
    Path session = Files.createDirectory(home.resolve("session"));
    assertThat(find(Optional.of(session.toString()))).isEqualTo(session.resolve("paceline"));
  }

  @Test
  void whoHasNoHomeEitherIsToldWhereThereCouldBeOne() {
    assertThatThrownBy(() -> StateDirectory.find(notWritable(), Optional.empty(), notWritable()))
        .isInstanceOf(CannotRun.class)
        .hasMessageContaining("(" + notWritable() + ")")
        .hasMessageContaining("Maybe")
        .hasMessageContaining("XDG_RUNTIME_DIR");
  }

  /** Only root can give a directory away. */
  @Tag("kernel")
  @Test
  void anotherOwnersIsRefused() throws IOException {
    Path session = Files.createDirectory(home.resolve("session"));
    Path theirs = find(Optional.of(session.toString()));
    Files.setAttribute(theirs, "unix:uid", NOBODY);
    assertThatThrownBy(() -> find(Optional.of(session.toString())))
        .isInstanceOf(CannotRun.class)
        .hasMessageContaining("(" + theirs + ")")
        .hasMessageContaining("so somebody else could say what this agent does")
        .hasMessageContaining("XDG_RUNTIME_DIR");
  }

  @Test
  void oneThatOthersMayWriteToIsRefused() throws IOException {
    Path open = Files.createDirectory(home.resolve(".paceline"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> find(Optional.empty()))
        .isInstanceOf(CannotRun.class)
        .hasMessageContaining("(" + open + ")")
        .hasMessageContaining("others may write there")
        .hasMessageContaining("Maybe");
  }
}
