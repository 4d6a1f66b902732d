package org.paceline.elephants;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.paceline.intents.flow.FlowRecord;

/** One file of flow records, whatever it is written in. */
final class FlowFile {
  /** Magic numbers of nfdump's files are one number, whose bytes stand as the writer had them. */
  private static final byte[] NFDUMP = {0x0c, (byte) 0xa5};

  private static final byte[] NFDUMP_BIG_ENDIAN = {(byte) 0xa5, 0x0c};
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};
  private static final String STANDARD_INPUT = "-";

  private final String name;
  private final ZoneId zone;

  FlowFile(String name, ZoneId zone) {
    this.name = name;
    this.zone = zone;
  }

  /**
   * @throws Refusal if it cannot be read, or holds something else
   */
  void read(Consumer<FlowRecord> sink) throws Refusal {
    try (InputStream in = open()) {
      byte[] magic = peek(in);
      if (Arrays.equals(magic, NFDUMP) || Arrays.equals(magic, NFDUMP_BIG_ENDIAN)) {
        if (name.equals(STANDARD_INPUT)) {
          throw new Refusal(
              "standard input is one of nfdump's binary files. Maybe give its name instead.");
        }
        new NfdumpProgram(path()).read(sink);
      } else if (Arrays.equals(magic, GZIP)) {
        new CsvRecords(name, zone).read(new GZIPInputStream(in), sink);
      } else {
        new CsvRecords(name, zone).read(in, sink);
      }
    } catch (IOException e) {
      throw new Refusal(name + " cannot be read: " + e);
    }
  }

  private InputStream open() throws IOException, Refusal {
    if (name.equals(STANDARD_INPUT)) {
      return new BufferedInputStream(System.in);
    }
    Path path = path();
    if (!Files.exists(path)) {
      throw new Refusal("there is no file " + name + ".");
    }
    if (Files.isDirectory(path)) {
      throw new Refusal(name + " is a directory. Maybe " + name + "/* for all of its files.");
    }
    return new BufferedInputStream(Files.newInputStream(path));
  }

  private Path path() throws Refusal {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new Refusal(name + " is no file name: " + e.getReason());
    }
  }

  private static byte[] peek(InputStream in) throws IOException {
    in.mark(NFDUMP.length);
    byte[] magic = in.readNBytes(NFDUMP.length);
    in.reset();
    return magic;
  }
}
