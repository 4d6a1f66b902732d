package org.paceline.elephants;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.paceline.house.PackageRules;

/** The elephants command is ordered as what it calls is. */
final class PackagesTest {
  @Test
  void packagesAreSmallAndGoInNoCircle() throws IOException {
    PackageRules.hold("org.paceline.elephants", Path.of("src/main/java"));
  }
}
