package org.paceline.agent.enforce.edt;

import static org.paceline.agent.posix.ShellWords.quoted;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.paceline.agent.bpf.BpfFileSystem;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.netlink.Attributes;
import org.paceline.agent.netlink.Batch;
import org.paceline.agent.netlink.Netlink;
import org.paceline.agent.posix.Command;

/**
 * departures.bpf.c in the kernel: bpftool loads it, tc hangs it before the fq queue of an
 * interface. Loaded for each interface, so that every one has maps of its own.
 */
public final class DepartureProgram {
  /** Before anybody else's, whose answer could end the round of programs. */
  public static final int PREFERENCE = 1;

  static final String HANDLE = "0x" + ClassIds.MAJOR_TEXT;

  // As HTB's classes: reached only by a sender of datagrams with a send buffer beyond the default.
  private static final String QUEUE = "fq limit 100000 flow_limit 1000";
  private static final int GET_QDISC = 38;
  private static final int GET_FILTER = 46;
  private static final int PARENT_ROOT = -1;
  private static final int PARENT_EGRESS = 0xffff_fff3;
  private static final int CLSACT = 0xffff_0000;
  private static final int KIND = 1;
  private static final int HEADER = 20;

  /** To be raised with the layout of any map, for no agent to go on with another's. */
  private static final String LAYOUT = "layout2";

  private DepartureProgram() {}

  /** Of all interfaces of this network namespace. */
  public static Path pins() throws IOException {
    return BpfFileSystem.directory("agent");
  }

  public static Path pins(String device) throws IOException {
    return pins().resolve(LAYOUT).resolve(BpfFileSystem.name(device));
  }

  /** Loads it and its maps, and names them in this directory. */
  public static void load(Path pins) throws IOException {
    Files.createDirectories(pins);
    Path object = Files.createTempFile("departures", ".bpf.o");
    try (InputStream shipped =
        Objects.requireNonNull(
            DepartureProgram.class.getResourceAsStream("/org/paceline/agent/departures.bpf.o"))) {
      Files.copy(shipped, object, StandardCopyOption.REPLACE_EXISTING);
      Command.require(
          "bpftool",
          "prog",
          "load",
          object.toString(),
          pins.resolve("program").toString(),
          "pinmaps",
          pins.toString());
    } finally {
      Files.delete(object);
    }
  }

  /**
   * What makes an interface go by it, in words for a shell.
   *
   * @param how replace: whatever is at the root; add: nothing of somebody else's
   */
  public static String attachment(String how, String device, Path pins, State is) {
    List<String> commands = new ArrayList<>();
    if (!is.queue()) {
      commands.add(
          "tc qdisc "
              + how
              + " dev "
              + quoted(device)
              + " root handle "
              + ClassIds.HANDLE
              + " "
              + QUEUE);
    }
    if (!is.hook()) {
      commands.add("tc qdisc add dev " + quoted(device) + " clsact");
    }
    commands.add(
        "tc filter replace dev "
            + quoted(device)
            + " egress protocol all pref "
            + PREFERENCE
            + " handle "
            + HANDLE
            + " bpf direct-action object-pinned "
            + quoted(pins.resolve("program")));
    return String.join(" && ", commands);
  }

  /**
   * What removes it; the hook goes too where this was all that it was there for.
   *
   * @param hookWasThere before any agent was
   */
  public static String removal(String device, boolean hookWasThere) {
    String name = quoted(device);
    String filter =
        String.format(
            "tc filter del dev %s egress pref %d handle %s bpf", name, PREFERENCE, HANDLE);
    return hookWasThere
        ? filter + "\n"
        : String.format(
            "%s && [ -z \"$(tc filter show dev %s ingress; tc filter show dev %s egress)\" ]"
                + " && tc qdisc del dev %s clsact%n",
            filter, name, name, name);
  }

  /** Whether tc shows somebody else's filter, in this line, where ours belongs. */
  public static boolean isInItsPlace(String line) {
    return line.matches(".*\\bpref " + PREFERENCE + " .*\\b(handle|fh) .*")
        && !line.contains(" handle " + HANDLE + " ");
  }

  /**
   * What of it is there on an interface.
   *
   * @param queue the fq queue of ours at the root
   * @param hook whoever's it is
   * @param program at the hook
   */
  public record State(boolean queue, boolean hook, boolean program) {
    public static final State NOTHING = new State(false, false, false);

    boolean holds() {
      return queue && program;
    }
  }

  static State state(Netlink netlink, String device) throws IOException {
    Optional<Integer> index = Netlink.index(device);
    if (index.isEmpty()) {
      return State.NOTHING;
    }
    List<ByteBuffer> queues = new ArrayList<>();
    netlink.dump(GET_QDISC, to -> about(to, index.get(), 0), queues::add);
    List<ByteBuffer> filters = new ArrayList<>();
    netlink.dump(GET_FILTER, to -> about(to, index.get(), PARENT_EGRESS), filters::add);
    return new State(
        queues.stream().anyMatch(q -> is(q, index.get(), ClassIds.MAJOR << 16, PARENT_ROOT, "fq")),
        queues.stream().anyMatch(q -> handle(q) == CLSACT && device(q) == index.get()),
        filters.stream().anyMatch(f -> is(f, index.get(), ClassIds.MAJOR, PARENT_EGRESS, "bpf")));
  }

  private static void about(Batch to, int device, int parent) {
    to.u32(0).u32(device).u32(0).u32(parent).u32(0);
  }

  private static boolean is(ByteBuffer entry, int device, int handle, int parent, String kind) {
    return device(entry) == device
        && handle(entry) == handle
        && at(entry, 12) == parent
        && new Attributes(entry.slice(HEADER, entry.limit() - HEADER))
            .text(KIND)
            .equals(Optional.of(kind));
  }

  private static int device(ByteBuffer entry) {
    return at(entry, 4);
  }

  private static int handle(ByteBuffer entry) {
    return at(entry, 8);
  }

  private static int at(ByteBuffer entry, int offset) {
    return entry.limit() < HEADER ? 0 : entry.order(ByteOrder.nativeOrder()).getInt(offset);
  }
}
