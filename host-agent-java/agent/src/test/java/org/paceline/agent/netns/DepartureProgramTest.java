package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.paceline.agent.enforce.edt.DeparturesInScratch;
import org.paceline.agent.enforce.edt.PoolInScratch;

/** The program for departure times on this machine's kernel, with real packets. */
@Tag("kernel")
class DepartureProgramTest {
  @Test
  void packetsFindTheirConversationsAndTakeTheirTimes() throws Exception {
    assertThat(inScratch(DeparturesInScratch.class)).isEmpty();
  }

  @Test
  void conversationsBorrowWhatOthersOfThePoolLeave() throws Exception {
    assertThat(inScratch(PoolInScratch.class)).isEmpty();
  }

  private static String inScratch(Class<?> main) throws Exception {
    assumeTrue(
        Files.readString(Path.of("/proc/self/status")).contains("Uid:\t0\t0"),
        "Skipped: making network namespaces needs root.");
    assumeTrue(
        Files.readString(Path.of("/proc/filesystems")).contains("bpf"),
        "Skipped: this kernel has no BPF.");
    String mounted = "mount -t bpf bpf /sys/fs/bpf && exec \"$@\"";
    return Sh.run(Sh.java(List.of("unshare", "--net", "--mount", "sh", "-c", mounted, "sh"), main));
  }
}
