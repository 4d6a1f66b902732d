package org.paceline.agent.bpf;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where programs and maps have names, by which they outlive whoever made them. */
public final class BpfFileSystem {
  private static final Path MOUNT = Path.of("/sys/fs/bpf");

  private BpfFileSystem() {}

  /**
   * A directory for the agent of this network namespace.
   *
   * @param purpose letters and digits only: the file system knows no dots
   */
  public static Path directory(String purpose) throws IOException {
    String namespace =
        Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString().replaceAll("\\D", "");
    return MOUNT.resolve("paceline-" + purpose + "-" + namespace);
  }

  /** A name that the file system takes, for one with dots as interfaces may have. */
  public static String name(String device) {
    return device.replace("%", "%25").replace(".", "%2e");
  }

  /** Why maps cannot be named and used here; empty where they can. */
  public static Optional<String> obstacle() throws IOException {
    String mounts = Files.readString(Path.of("/proc/mounts"), StandardCharsets.UTF_8);
    if (mounts.lines().noneMatch(line -> line.contains(" " + MOUNT + " bpf "))) {
      return Optional.of(
          "no BPF file system at " + MOUNT + ", maybe \"mount -t bpf bpf " + MOUNT + "\"");
    }
    return LibBpf.obstacle();
  }
}
