package org.paceline.northbound.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.paceline.control.port.FreeSpace;

/** The file system that a folder is on, or will be on once it is made. */
public final class FolderSpace implements FreeSpace {
  private final Path folder;

  public FolderSpace(Path folder) {
    this.folder = folder.toAbsolutePath();
  }

  @Override
  public String place() {
    return folder.toString();
  }

  /** As the file system says it: without what it keeps for root. */
  @Override
  public long bytes() throws IOException {
    return Files.getFileStore(existing(folder)).getUsableSpace();
  }

  private static Path existing(Path folder) {
    Path above = folder.getParent();
    return above == null || Files.exists(folder) ? folder : existing(above);
  }
}
