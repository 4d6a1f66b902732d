package org.paceline.northbound.rest.solve;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.paceline.control.port.ProblemFile;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.problem.Problem;
import org.paceline.json.document.Reading;
import org.paceline.json.problem.ProblemReader;

/** The JSON that {@code tools/paceline solve} reads, no larger than a request may be. */
public final class JsonProblemFile implements ProblemFile {
  @Override
  public Problem read(byte[] text) {
    try {
      Reading<Problem> reading =
          ProblemReader.read(new ByteArrayInputStream(text), DocumentLimits.REQUEST);
      return reading
          .value()
          .orElseThrow(() -> new IllegalArgumentException(reading.describeFaults()));
    } catch (IOException e) {
      throw new UncheckedIOException("An array cannot be read.", e);
    }
  }
}
