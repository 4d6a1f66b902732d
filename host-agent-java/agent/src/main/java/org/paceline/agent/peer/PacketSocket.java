package org.paceline.agent.peer;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.posix.LibC;

/**
 * Hears what passes any interface of this network namespace, loopback too, as far as a filter lets
 * it (packet(7)). Owned by one thread.
 */
final class PacketSocket implements Closeable {
  private static final int AF_PACKET = 17;
  // Without the header of the interface's layer, whatever that is.
  private static final int DATAGRAM = 2;
  private static final int CLOEXEC_NONBLOCK = 0x80000 | 0x800;
  private static final int SOL_SOCKET = 1;
  private static final int SO_ATTACH_FILTER = 26;
  private static final short ALL_PROTOCOLS = 3;
  private static final int ADDRESS_BYTES = 20;
  private static final int INSTRUCTION_BYTES = 8;
  private static final int EPERM = 1;

  private final int socket;
  private final Memory bytes = new Memory(PacketFilter.LONGEST);

  private PacketSocket(int socket) {
    this.socket = socket;
  }

  static PacketSocket open(List<PacketFilter.Instruction> filter) throws IOException {
    // Of no protocol: it hears nothing before its filter is there.
    int socket = LibC.socket(AF_PACKET, DATAGRAM | CLOEXEC_NONBLOCK, 0);
    if (socket < 0) {
      int error = Native.getLastError();
      throw new IOException(
          "a packet socket could not be opened ("
              + LibC.strerror(error)
              + (error == EPERM ? "); it needs CAP_NET_RAW" : ")"));
    }
    PacketSocket opened = new PacketSocket(socket);
    try {
      opened.attach(filter);
      opened.listen();
      return opened;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  private void attach(List<PacketFilter.Instruction> filter) throws IOException {
    Memory program = new Memory((long) INSTRUCTION_BYTES * filter.size());
    ByteBuffer at = program.getByteBuffer(0, program.size()).order(ByteOrder.nativeOrder());
    for (PacketFilter.Instruction one : filter) {
      at.putShort(one.code()).put(one.yes()).put(one.no()).putInt(one.value());
    }
    Memory description = new Memory(2L * Native.POINTER_SIZE);
    description.clear();
    description.setShort(0, (short) filter.size());
    description.setPointer(Native.POINTER_SIZE, program);
    check(
        "filtered",
        LibC.setsockopt(
            socket, SOL_SOCKET, SO_ATTACH_FILTER, description, 2 * Native.POINTER_SIZE));
  }

  private void listen() throws IOException {
    Memory address = new Memory(ADDRESS_BYTES);
    address.clear();
    address.setShort(0, (short) AF_PACKET);
    // In the network's byte order; every interface, also those to come.
    address.getByteBuffer(2, 2).order(ByteOrder.BIG_ENDIAN).putShort(ALL_PROTOCOLS);
    check("bound", LibC.bind(socket, address, ADDRESS_BYTES));
  }

  private static void check(String what, int result) throws IOException {
    if (result < 0) {
      throw new IOException(
          "a packet socket could not be "
              + what
              + " ("
              + LibC.strerror(Native.getLastError())
              + ")");
    }
  }

  int file() {
    return socket;
  }

  /** The next packet, which the one after it takes the place of; empty where there is none now. */
  Optional<ByteBuffer> next() {
    int length = LibC.recv(socket, bytes, PacketFilter.LONGEST, 0);
    return length < 0 ? Optional.empty() : Optional.of(bytes.getByteBuffer(0, length));
  }

  @Override
  public void close() {
    LibC.close(socket);
  }
}
