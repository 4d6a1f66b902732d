package org.paceline.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.runtime.CannotRun;

final class StateDirectoryTest {
  @TempDir private Path home = Path.of("");

  /** As for whoever is not root. */
  private Path notWritable() {
    return home.resolve("nowhere");
  }

  private Path find(Optional<String> runtime) throws IOException {
    return StateDirectory.find(notWritable(), runtime, home, home);
  }

  @Test
  void rootsIsTheSystems() throws IOException {
    assertThat(StateDirectory.find(home, Optional.of("/x"), home, home)).isEqualTo(home);
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
  void whoHasNoHomeHasOneAmongTemporaryFiles() throws IOException {
    Path found = StateDirectory.find(notWritable(), Optional.empty(), notWritable(), home);
    assertThat(found.getFileName().toString()).matches("paceline-\\d+");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(found)))
        .isEqualTo("rwx------");
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
