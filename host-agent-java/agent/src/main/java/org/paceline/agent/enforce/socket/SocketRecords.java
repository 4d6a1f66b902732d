package org.paceline.agent.enforce.socket;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which sockets have which rates, in a file: nobody else knows what they had before, should the
 * agent be killed. The last line about a socket counts; the file is written anew when most of its
 * lines do not.
 */
final class SocketRecords implements Closeable {
  private static final int FEW = 64;

  private final Path file;
  private final Map<Long, SocketRecord> kept = new HashMap<>();
  private FileChannel channel;
  private int lines;

  private SocketRecords(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Begins with these, and nothing else of what is there. */
  static SocketRecords begin(Path file, Collection<SocketRecord> with) throws IOException {
    SocketRecords records = new SocketRecords(file, write(file, with));
    with.forEach(one -> records.kept.put(one.cookie(), one));
    records.lines = with.size();
    return records;
  }

  /** What an agent has left there, by the sockets' cookies. */
  static Map<Long, SocketRecord> read(Path file) throws IOException {
    Map<Long, SocketRecord> found = new LinkedHashMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
        SocketRecord.parse(line).ifPresent(one -> found.put(one.cookie(), one));
      }
    }
    return found;
  }

  Optional<SocketRecord> of(long cookie) {
    return Optional.ofNullable(kept.get(cookie));
  }

  /** All of these, or none. */
  void add(Collection<SocketRecord> some) throws IOException {
    if (some.isEmpty()) {
      return;
    }
    if (lines + some.size() > 2 * kept.size() + some.size() + FEW) {
      FileChannel before = channel;
      channel = write(file, kept.values());
      before.close();
      lines = kept.size();
    }
    long end = channel.size();
    try {
      append(channel, some);
    } catch (IOException e) {
      // Half a line would spoil the next one.
      channel.truncate(end);
      throw e;
    }
    lines += some.size();
    some.forEach(one -> kept.put(one.cookie(), one));
  }

  /** It has its own rate again, or is no more. What stands about it in the file harms nobody. */
  void forget(long cookie) {
    kept.remove(cookie);
  }

  private static FileChannel write(Path file, Collection<SocketRecord> all) throws IOException {
    Path anew = file.resolveSibling(file.getFileName() + ".new");
    FileChannel channel =
        FileChannel.open(
            anew,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    try {
      append(channel, all);
      Files.move(anew, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      channel.close();
      Files.deleteIfExists(anew);
      throw e;
    }
    return channel;
  }

  private static void append(FileChannel channel, Collection<SocketRecord> some)
      throws IOException {
    String text = some.stream().map(one -> one.text() + "\n").collect(Collectors.joining());
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    channel.position(channel.size());
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Every socket has its own rate again. */
  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }
}
