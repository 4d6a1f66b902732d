package org.paceline.agent.netlink;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.paceline.agent.posix.LibC;

/**
 * A socket to the kernel. Every message of a batch is carried out in its order before the call that
 * sends it comes back; only what fails is answered, and the last. Owned by one thread.
 */
public final class Netlink implements Closeable {
  private static final int AF_NETLINK = 16;
  private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
  private static final int NETLINK_ROUTE = 0;
  private static final int NETLINK_SOCK_DIAG = 4;
  private static final int NETLINK_NETFILTER = 12;
  private static final int NETLINK_GENERIC = 16;
  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVTIMEO = 20;
  private static final int SO_SNDBUFFORCE = 32;
  private static final int SOL_NETLINK = 270;
  // Answers do not repeat the message that they are about, and say why in words.
  private static final int NETLINK_CAP_ACK = 10;
  private static final int NETLINK_EXT_ACK = 11;
  private static final int ERROR = 2;
  private static final int DONE = 3;
  private static final int DUMP = 0x300;
  private static final int EINTR = 4;
  private static final int BYTES = 1 << 16;
  private static final int ANSWER_SECONDS = 10;
  // Their answers, a page each, have room in the socket's buffer as it comes.
  private static final int MOST_AT_ONCE = 32;
  private static final int MESSAGE_OF_ERROR = 1;
  private static final int BEGIN = 0x10;
  private static final int END = 0x11;

  /** The subsystem in the upper byte of nfnetlink's message types. */
  public static final int NFTABLES = 10;

  private static final int BYTES_OF_A_TRANSACTION = 1 << 25;

  private final Memory out = new Memory(BYTES);
  private final Memory in = new Memory(BYTES);
  private final ByteBuffer received = in.getByteBuffer(0, BYTES).order(ByteOrder.nativeOrder());
  private final int socket;
  private int number;
  private Batch batch;

  private Netlink(int socket) {
    this.socket = socket;
    this.batch = new Batch(out.getByteBuffer(0, BYTES));
  }

  /** What the kernel did not do, and why. */
  public record Failure(int error, String text) {}

  /** For interfaces and their queues, of the network namespace that this process is in. */
  public static Netlink route() throws IOException {
    return open(NETLINK_ROUTE);
  }

  /** For nftables, of the same namespace. */
  public static Netlink nftables() throws IOException {
    Netlink netlink = open(NETLINK_NETFILTER);
    netlink.out.setInt(0, BYTES_OF_A_TRANSACTION);
    LibC.setsockopt(netlink.socket, SOL_SOCKET, SO_SNDBUFFORCE, netlink.out, Integer.BYTES);
    return netlink;
  }

  /** For questions about sockets, of the same namespace. */
  public static Netlink sockets() throws IOException {
    return open(NETLINK_SOCK_DIAG);
  }

  /** For parts of the kernel that are asked by name, of the same namespace. */
  public static Netlink generic() throws IOException {
    return open(NETLINK_GENERIC);
  }

  private static Netlink open(int protocol) throws IOException {
    int socket = LibC.socket(AF_NETLINK, SOCK_RAW_CLOEXEC, protocol);
    if (socket < 0) {
      throw failed("there is no netlink socket");
    }
    Netlink netlink = new Netlink(socket);
    netlink.out.setNativeLong(0, new NativeLong(ANSWER_SECONDS));
    netlink.out.setNativeLong(Native.LONG_SIZE, new NativeLong(0));
    LibC.setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, netlink.out, 2 * Native.LONG_SIZE);
    netlink.out.setInt(0, 1);
    LibC.setsockopt(socket, SOL_NETLINK, NETLINK_CAP_ACK, netlink.out, Integer.BYTES);
    LibC.setsockopt(socket, SOL_NETLINK, NETLINK_EXT_ACK, netlink.out, Integer.BYTES);
    return netlink;
  }

  /** The number by which messages name an interface; it changes when one is made anew. */
  public static Optional<Integer> index(String device) {
    int index = LibC.if_nametoindex(device);
    return index == 0 ? Optional.empty() : Optional.of(index);
  }

  /** One that is to be carried out: its header's flags, then what it says. */
  public interface Message {
    void write(Batch to);
  }

  /**
   * Sends all, in this order.
   *
   * @param answers gets what a message answers with, its netlink header left out
   * @return why some could not be carried out; the others were
   */
  public List<Failure> send(List<Message> messages, Consumer<ByteBuffer> answers)
      throws IOException {
    List<Failure> failures = new ArrayList<>();
    for (Message message : messages) {
      message.write(batch);
      if (batch.isFull() || batch.messages() == MOST_AT_ONCE) {
        exchange(failures, answers);
      }
    }
    if (batch.messages() > 0) {
      exchange(failures, answers);
    }
    return failures;
  }

  /** Asks for a list; each of its entries goes to {@code entries}, its netlink header left out. */
  public List<Failure> dump(int type, Consumer<Batch> question, Consumer<ByteBuffer> entries)
      throws IOException {
    return send(
        List.of(
            to -> {
              to.message(type, DUMP);
              question.accept(to);
            }),
        entries);
  }

  /** Has nftables carry out all of these, or none; why it did none. */
  public List<Failure> transaction(List<Message> messages) throws IOException {
    if (messages.isEmpty()) {
      return List.of();
    }
    long room = (messages.size() + 2L) * Batch.ROOM;
    Memory all = new Memory(room);
    Batch transaction = new Batch(all.getByteBuffer(0, room));
    limit(transaction, BEGIN);
    messages.forEach(message -> message.write(transaction));
    limit(transaction, END);
    int first = number + 1;
    number += transaction.messages();
    List<Failure> failures = new ArrayList<>();
    // Kernels before 6.10 do not answer to the limits. An error about the first one is about all.
    transmit(all, transaction.seal(first, messages.size()));
    await(first, number - 1, first, failures, answer -> {});
    return failures;
  }

  private static void limit(Batch transaction, int type) {
    // Of no family, version 0; which tables, in the network's byte order.
    transaction.message(type, 0).u8(0).u8(0).u8(0).u8(NFTABLES);
  }

  private void exchange(List<Failure> failures, Consumer<ByteBuffer> answers) throws IOException {
    int first = number + 1;
    int last = number + batch.messages();
    number = last;
    int length = batch.seal(first, batch.messages() - 1);
    batch = new Batch(out.getByteBuffer(0, BYTES));
    transmit(out, length);
    await(first, last, last, failures, answers);
  }

  private void transmit(Memory bytes, int length) throws IOException {
    if (LibC.send(socket, bytes, length, 0) != length) {
      throw failed("the kernel did not take a message");
    }
  }

  /** Until there is an answer to the last one, or an error about the one that stands for all. */
  private void await(
      int first, int last, int all, List<Failure> failures, Consumer<ByteBuffer> answers)
      throws IOException {
    boolean answered = false;
    while (!answered) {
      receive();
      while (received.remaining() >= Batch.HEADER) {
        int start = received.position();
        int size = received.getInt(start);
        if (size < Batch.HEADER || size > received.remaining()) {
          throw new IOException("the kernel sent a message of " + size + " bytes");
        }
        int about = received.getInt(start + 8);
        // An answer to what was given up earlier is nobody's.
        if (about - first >= 0) {
          ByteBuffer content =
              received
                  .slice(start + Batch.HEADER, size - Batch.HEADER)
                  .order(ByteOrder.nativeOrder());
          int type = Short.toUnsignedInt(received.getShort(start + 4));
          if (type == ERROR) {
            Optional<Failure> failure = failure(content);
            failure.ifPresent(failures::add);
            answered |= about == all && failure.isPresent();
          } else if (type != DONE) {
            answers.accept(content);
          }
          answered |= about == last && (type == ERROR || type == DONE);
        }
        received.position(Math.min(received.limit(), start + (size + 3 & ~3)));
      }
    }
  }

  private void receive() throws IOException {
    int length = LibC.recv(socket, in, BYTES, 0);
    while (length < 0 && Native.getLastError() == EINTR) {
      length = LibC.recv(socket, in, BYTES, 0);
    }
    if (length < 0) {
      throw failed("the kernel did not answer");
    }
    received.clear().limit(length);
  }

  /** Nothing where the answer says that all went well. */
  private static Optional<Failure> failure(ByteBuffer answer) {
    int error = -answer.getInt(0);
    if (error == 0) {
      return Optional.empty();
    }
    int words = Integer.BYTES + Batch.HEADER;
    String text = LibC.strerror(error);
    if (answer.limit() > words) {
      Attributes more = new Attributes(answer.slice(words, answer.limit() - words));
      text =
          more.text(MESSAGE_OF_ERROR)
              .map(why -> why + " (" + LibC.strerror(error) + ")")
              .orElse(text);
    }
    return Optional.of(new Failure(error, text));
  }

  private static IOException failed(String what) {
    return new IOException(what + ": " + LibC.strerror(Native.getLastError()));
  }

  @Override
  public void close() {
    LibC.close(socket);
  }
}
