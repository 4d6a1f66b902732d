package org.paceline.agent.peer;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.posix.LibC;

/**
 * Hears the names that this host asks for, as they pass its interfaces: answers of DNS and first
 * messages of TLS. One thread, which sleeps until there is such a packet. Needs CAP_NET_RAW.
 */
public final class NameTap implements Closeable {
  private static final int FILES = 3;
  private static final int FILE_BYTES = 8;
  private static final int READABLE = 1;
  private static final int EINTR = 4;
  private static final int CLOEXEC = 0x80000;
  private static final int MOST_AT_ONCE = 64;

  private final DestinationNames names;
  private final DnsAnswers answers;
  private final ServerNames serverNames;
  private final PacketSocket dns;
  private final PacketSocket tls;
  private final int stop;
  private Optional<Thread> thread = Optional.empty();

  private NameTap(
      DestinationNames names, LongSupplier nanoClock, PacketSocket dns, PacketSocket tls) {
    this.names = names;
    this.answers = new DnsAnswers(nanoClock);
    this.serverNames = new ServerNames(nanoClock);
    this.dns = dns;
    this.tls = tls;
    this.stop = LibC.eventfd(0, CLOEXEC);
  }

  /**
   * @throws IOException where this process may not hear packets, or the kernel has no such sockets
   */
  public static NameTap open(DestinationNames names, LongSupplier nanoClock) throws IOException {
    PacketSocket dns = PacketSocket.open(PacketFilter.dns());
    try {
      return new NameTap(names, nanoClock, dns, PacketSocket.open(PacketFilter.tls()));
    } catch (IOException e) {
      dns.close();
      throw e;
    }
  }

  /**
   * Begins to listen.
   *
   * @param news told, from another thread, when there are names that {@code takeNews} has not given
   */
  public void start(Runnable news) {
    Thread listener = new Thread(() -> listen(news), "names");
    listener.setDaemon(true);
    listener.start();
    thread = Optional.of(listener);
  }

  /** Whether it still hears. */
  public boolean isAlive() {
    return thread.map(Thread::isAlive).orElse(false);
  }

  private void listen(Runnable news) {
    try (Memory files = new Memory((long) FILES * FILE_BYTES)) {
      int[] numbers = {dns.file(), tls.file(), stop};
      for (int i = 0; i < FILES; i++) {
        files.setInt((long) i * FILE_BYTES, numbers[i]);
        files.setShort((long) i * FILE_BYTES + 4, (short) READABLE);
      }
      while (true) {
        int ready = LibC.poll(files, new NativeLong(FILES), -1);
        if (ready < 0 && Native.getLastError() != EINTR) {
          return;
        }
        if (files.getShort(2 * FILE_BYTES + 6) != 0) {
          return;
        }
        if (ready > 0) {
          read();
          if (names.hasNews()) {
            news.run();
          }
        }
      }
    }
  }

  private void read() {
    for (int i = 0; i < MOST_AT_ONCE; i++) {
      Optional<Packet> packet = dns.next().flatMap(Packet::parse);
      packet.flatMap(answers::take).ifPresent(names::dns);
      Optional<Packet> segment = tls.next().flatMap(Packet::parse);
      segment.ifPresent(this::take);
      if (packet.isEmpty() && segment.isEmpty()) {
        return;
      }
    }
  }

  private void take(Packet segment) {
    Flow flow =
        new Flow(
            Transport.TCP,
            segment.source(),
            segment.sourcePort(),
            segment.destination(),
            segment.destinationPort());
    serverNames.take(flow, segment).ifPresent(name -> names.tls(flow, name));
  }

  @Override
  public void close() {
    if (thread.isPresent()) {
      LibC.eventfd_write(stop, 1);
      try {
        thread.get().join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    dns.close();
    tls.close();
    LibC.close(stop);
  }
}
