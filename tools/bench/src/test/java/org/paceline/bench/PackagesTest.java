package org.paceline.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.paceline.house.PackageRules;

/** The benchmark is ordered as what it measures is. */
final class PackagesTest {
  @Test
  void packagesAreSmallAndGoInNoCircle() throws IOException {
    PackageRules.hold("org.paceline.bench", Path.of("src/main/java"));
  }
}
