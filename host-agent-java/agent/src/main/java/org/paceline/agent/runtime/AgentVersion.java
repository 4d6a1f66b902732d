package org.paceline.agent.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine;

/** The version of this program, as it was built. */
public final class AgentVersion implements CommandLine.IVersionProvider {
  private static final String RESOURCE = "/org/paceline/agent/version.properties";

  @Override
  public String[] getVersion() {
    return new String[] {"paceline-agent " + number()};
  }

  public static String number() {
    Properties properties = new Properties();
    try (InputStream stream = AgentVersion.class.getResourceAsStream(RESOURCE)) {
      properties.load(Objects.requireNonNull(stream, RESOURCE + " is missing"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }
}
