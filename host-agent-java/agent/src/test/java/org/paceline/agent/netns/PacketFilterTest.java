package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.paceline.agent.peer.NamesInScratch;

/** What a real kernel hands over of real packets. */
@Tag("kernel")
class PacketFilterTest {
  @Test
  void namesAreHeardOnLoopbackByBothVersionsOfIp() throws Exception {
    assumeTrue(
        Files.readString(Path.of("/proc/self/status")).contains("Uid:\t0\t0"),
        "Skipped: making network namespaces needs root.");
    String said = Sh.run(Sh.java(List.of("unshare", "--net"), NamesInScratch.class));
    assertThat(said).isEmpty();
  }
}
