package org.paceline.elephants;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.function.Consumer;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.flow.FlowRecord;

/**
 * Reads nfdump's binary files by nfdump itself: their format changes with its versions, and it has
 * multiplied the bytes by the exporters' sampling already.
 */
final class NfdumpProgram {
  private final Path file;

  NfdumpProgram(Path file) {
    this.file = file;
  }

  /**
   * @throws Refusal if there is no nfdump here, or if it refuses the file
   */
  void read(Consumer<FlowRecord> sink) throws IOException, Refusal {
    File messages = File.createTempFile("paceline-nfdump", ".log");
    try {
      Process nfdump = start(messages);
      try (InputStream out = nfdump.getInputStream()) {
        new CsvRecords(file.toString(), ZoneOffset.UTC).read(out, sink);
      } catch (IOException | Refusal e) {
        // Nobody reads on.
        nfdump.destroy();
        throw e;
      }
      int status = ended(nfdump);
      // It ends with status 0 where it has not understood the file, too.
      if (status != 0 || messages.length() > 0) {
        throw refused("ended with status " + status, messages);
      }
    } catch (Refusal e) {
      throw messages.length() == 0 ? e : refused("failed", messages);
    } finally {
      Files.delete(messages.toPath());
    }
  }

  private Process start(File messages) throws IOException, Refusal {
    ProcessBuilder nfdump = new ProcessBuilder("nfdump", "-r", file.toString(), "-o", "csv");
    nfdump.environment().put("TZ", "UTC");
    try {
      return nfdump.redirectError(messages).start();
    } catch (IOException e) {
      throw new Refusal(
          file
              + " is one of nfdump's binary files, which only nfdump reads, and it cannot be run ("
              + e.getMessage()
              + "). Maybe: apt-get install nfdump, or where it is: TZ=UTC nfdump -r FILE -o csv >"
              + " FILE.csv");
    }
  }

  private static int ended(Process nfdump) throws IOException {
    try {
      return nfdump.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while nfdump was running", e);
    }
  }

  private Refusal refused(String what, File messages) throws IOException {
    String said = Files.readString(messages.toPath(), StandardCharsets.UTF_8).strip();
    return new Refusal(file + ": nfdump " + what + ": " + Quoted.shortened(said));
  }
}
