package org.paceline.solve;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.paceline.intents.problem.Problem;
import org.paceline.json.document.Fault;
import org.paceline.json.document.Reading;
import org.paceline.json.problem.ProblemReader;

/** Where the problem comes from: a file, or standard input for {@code -}. */
final class ProblemSource {
  private final String name;
  private final PrintStream messages;

  ProblemSource(String name, PrintStream messages) {
    this.name = name;
    this.messages = messages;
  }

  Problem read() throws Refusal {
    Reading<Problem> reading;
    try {
      if (name.equals("-")) {
        reading = ProblemReader.read(System.in);
      } else {
        Path file = Path.of(name);
        if (Files.isDirectory(file)) {
          throw new Refusal(name + " is a directory. Maybe name a file in it.");
        }
        try (InputStream in = Files.newInputStream(file)) {
          reading = ProblemReader.read(in);
        }
      }
    } catch (NoSuchFileException e) {
      throw new Refusal("there is no file " + name + ". Maybe use - for standard input.");
    } catch (AccessDeniedException e) {
      throw new Refusal("the file " + name + " may not be read.");
    } catch (IOException e) {
      throw new Refusal("the file " + name + " cannot be read: " + e.getMessage());
    }
    for (Fault warning : reading.warnings()) {
      messages.println("paceline solve: " + shown() + ": warning: " + warning);
    }
    if (reading.value().isEmpty()) {
      int faults = reading.faults().size() + reading.unlisted();
      throw new Refusal(
          shown()
              + " has "
              + (faults == 1 ? "a fault" : faults + " faults")
              + ":\n  "
              + reading.describeFaults().replace("\n", "\n  "));
    }
    return reading.orElseThrow();
  }

  private String shown() {
    return name.equals("-") ? "standard input" : name;
  }
}
