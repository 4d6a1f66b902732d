package org.paceline.onos.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * A {@link CountingSwitch} at the other end of a TCP connection. It obeys in a thread of its own,
 * and another one hears what it says, as ONOS's threads of connections do.
 */
final class ConnectedSwitch implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  /** Version, type, length and number (OpenFlow 1.3.5, 7.1). */
  private static final int HEADER = 8;

  private static final int LENGTH_AT = 2;

  final CountingSwitch counting = new CountingSwitch(this::tell);
  private final Socket ofController;
  private final Socket ofSwitch;
  private final OutputStream toSwitch;
  private final Thread obeying;
  private final Thread hearing;
  private final AtomicReference<Throwable> fault = new AtomicReference<>();
  private volatile boolean isClosed;

  ConnectedSwitch() throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ofController = new Socket(listening.getInetAddress(), listening.getLocalPort());
      ofSwitch = listening.accept();
    }
    // As ONOS has its connections: nobody waits for more to say.
    ofController.setTcpNoDelay(true);
    ofSwitch.setTcpNoDelay(true);
    toSwitch = new BufferedOutputStream(ofController.getOutputStream(), BUFFER);
    obeying = started("switch", this::obey);
    hearing = started("of-connection", this::hear);
  }

  /** One of the two directions. */
  private interface Direction {
    void carry() throws IOException;
  }

  private Thread started(String name, Direction direction) {
    Thread thread =
        new Thread(
            () -> {
              try {
                direction.carry();
              } catch (IOException | RuntimeException | Error broken) {
                if (!isClosed) {
                  fault.compareAndSet(null, broken);
                }
              }
            },
            name);
    thread.start();
    return thread;
  }

  /** The one thread of this machine that is nobody's of the controller. */
  Thread obeying() {
    return obeying;
  }

  /** What broke; empty where nothing has. */
  Optional<Throwable> fault() {
    return Optional.ofNullable(fault.get());
  }

  private void tell(List<OFMessage> messages) {
    try {
      synchronized (toSwitch) {
        for (OFMessage message : messages) {
          write(toSwitch, message);
        }
        toSwitch.flush();
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private void obey() throws IOException {
    InputStream in = ofSwitch.getInputStream();
    DataInputStream whole = new DataInputStream(new BufferedInputStream(in, BUFFER));
    OutputStream out = new BufferedOutputStream(ofSwitch.getOutputStream(), BUFFER);
    while (true) {
      for (OFMessage answer : counting.obey(read(whole))) {
        write(out, answer);
      }
      // What it was told together it answers together.
      if (whole.available() == 0) {
        out.flush();
      }
    }
  }

  private void hear() throws IOException {
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(ofController.getInputStream(), BUFFER));
    while (true) {
      counting.hear(read(in));
    }
  }

  private static OFMessage read(DataInputStream in) throws IOException {
    byte[] header = new byte[HEADER];
    in.readFully(header);
    ByteBuf bytes = Unpooled.wrappedBuffer(header);
    byte[] rest = new byte[bytes.getUnsignedShort(LENGTH_AT) - HEADER];
    in.readFully(rest);
    return CountingSwitch.read(Unpooled.wrappedBuffer(header, rest));
  }

  private static void write(OutputStream out, OFMessage message) throws IOException {
    ByteBuf bytes = CountingSwitch.bytes(message);
    bytes.readBytes(out, bytes.readableBytes());
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    ofController.close();
    ofSwitch.close();
    try {
      obeying.join();
      hearing.join();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
