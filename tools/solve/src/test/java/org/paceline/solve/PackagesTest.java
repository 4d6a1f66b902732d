package org.paceline.solve;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.paceline.house.PackageRules;

/** The solve command is ordered as what it calls is. */
final class PackagesTest {
  @Test
  void packagesAreSmallAndGoInNoCircle() throws IOException {
    PackageRules.hold("org.paceline.solve", Path.of("src/main/java"));
  }
}
