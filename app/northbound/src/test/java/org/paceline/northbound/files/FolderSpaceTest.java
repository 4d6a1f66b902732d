package org.paceline.northbound.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderSpaceTest {
  @Test
  void aFolderThatIsNotThereYetIsOnTheDiskOfTheOneThatItWillBeIn(@TempDir Path there)
      throws IOException {
    Path folder = there.resolve("db").resolve("partitions");
    FolderSpace space = new FolderSpace(folder);
    assertThat(space.place()).isEqualTo(folder.toString());
    assertThat(space.bytes()).isBetween(1L, Files.getFileStore(there).getTotalSpace());
  }

  @Test
  void theSpaceIsThatOfTheFileSystemThatIsMountedThere() throws IOException {
    // On Linux a file system of the kernel's own: nothing can be written there.
    assertThat(new FolderSpace(Path.of("/proc/self")).bytes()).isZero();
  }
}
