package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.paceline.agent.enforce.htb.ClassesInScratch;
import org.paceline.agent.enforce.htb.ElementsInScratch;

/** What is told to a real kernel by netlink, held against what tc and nft make and show. */
@Tag("kernel")
class KernelClassesTest {
  /** The one that another kernel is asked, too. */
  static final String AS_TC = "classesAreMadeChangedReadAndRemovedAsTcDoesIt";

  @Test
  void classesAreMadeChangedReadAndRemovedAsTcDoesIt() throws Exception {
    runsWithoutComplaint(ClassesInScratch.class);
  }

  @Test
  void packetsAreSortedAsNftDoesIt() throws Exception {
    runsWithoutComplaint(ElementsInScratch.class);
  }

  private static void runsWithoutComplaint(Class<?> inScratch) throws Exception {
    assumeTrue(
        Files.readString(Path.of("/proc/self/status")).contains("Uid:\t0\t0"),
        "Skipped: making network namespaces needs root.");
    String said = Sh.run(Sh.java(List.of("unshare", "--net"), inScratch));
    assertThat(said).isEmpty();
  }
}
