package org.paceline.agent.pacing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.bpf.BpfFileSystem;
import org.paceline.agent.bpf.RecordRing;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.EnforcerChoice;
import org.paceline.agent.enforce.EnforcerKind;
import org.paceline.agent.enforce.edt.DepartureKeys;
import org.paceline.agent.enforce.edt.DepartureProgram;
import org.paceline.agent.enforce.edt.DepartureRules;
import org.paceline.agent.enforce.edt.DepartureTable;
import org.paceline.agent.enforce.edt.EdtShaper;
import org.paceline.agent.enforce.htb.Classifier;
import org.paceline.agent.enforce.htb.HtbShaper;
import org.paceline.agent.enforce.ingress.IngressShaper;
import org.paceline.agent.enforce.socket.SocketTrial;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.posix.Command;
import org.paceline.agent.posix.ScratchNamespace;
import org.paceline.agent.runtime.CannotRun;

/**
 * Finds the best enforcer that works when it is tried in a network namespace made for the moment.
 * What a kernel can do is never told by its version.
 */
public final class EnforcerProbe {
  private EnforcerProbe() {}

  /**
   * @param wanted the only one that will do; empty: the best
   * @throws CannotRun where that one does not work
   */
  public static EnforcerChoice probe(Optional<EnforcerKind> wanted, RuleSet rules)
      throws IOException {
    List<String> passedOver = new ArrayList<>();
    for (EnforcerKind kind : EnforcerKind.values()) {
      if (wanted.isPresent() && wanted.get() != kind) {
        continue;
      }
      Optional<String> obstacle = obstacle(kind, rules);
      if (obstacle.isEmpty()) {
        return new EnforcerChoice(kind, passedOver, incoming(kind, rules));
      }
      if (wanted.isPresent()) {
        throw new CannotRun(
            "This kernel cannot pace as it is told to (enforcer: "
                + kind.word()
                + "): "
                + obstacle.get()
                + ". Maybe load its modules, or take another with (enforcer: auto).");
      }
      passedOver.add(kind.word() + ": " + obstacle.get());
    }
    throw new IllegalStateException("the last kind needs nothing and was refused");
  }

  private static Optional<String> incoming(EnforcerKind kind, RuleSet rules) throws IOException {
    if (!rules.canName(Direction.IN)) {
      return Optional.empty();
    }
    if (kind == EnforcerKind.NONE) {
      return Optional.of("nothing is paced here");
    }
    Optional<String> obstacle = HtbShaper.obstacle();
    return Optional.of((obstacle.isPresent() ? obstacle : IngressShaper.obstacle()).orElse(""));
  }

  private static Optional<String> obstacle(EnforcerKind kind, RuleSet rules) throws IOException {
    return switch (kind) {
      case EDT -> tryDepartures(rules);
      case HTB -> tryHtb(rules);
      case SOCKET -> SocketTrial.obstacle();
      case NONE -> Optional.empty();
    };
  }

  private static Optional<String> tryDepartures(RuleSet rules) throws IOException {
    // First what most kernels that cannot lack.
    Optional<String> obstacle = trial("tc qdisc add dev lo root fq", "");
    if (obstacle.isEmpty()) {
      obstacle = BpfFileSystem.obstacle();
    }
    List<byte[]> rows = DepartureRules.rows(rules);
    if (obstacle.isEmpty() && rows.size() > DepartureRules.MOST) {
      obstacle =
          Optional.of(
              "the rules have "
                  + rows.size()
                  + " combinations of ports and addresses, and there is room for "
                  + DepartureRules.MOST);
    }
    if (obstacle.isPresent()) {
      return obstacle;
    }
    Path pins = BpfFileSystem.directory("trial" + ProcessHandle.current().pid());
    try {
      DepartureProgram.load(pins);
      EdtShaper.write(rows, pins);
      DepartureTable.open(pins).close();
      DepartureKeys.open(pins).close();
      RecordRing.listen(pins.resolve("first_packets"), record -> {}).close();
      return trial(
          DepartureProgram.attachment("add", "lo", pins, DepartureProgram.State.NOTHING), "");
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()).trim().replace('\n', ' '));
    } finally {
      Command.run("rm", "-rf", pins.toString());
    }
  }

  private static Optional<String> trial(String script, String input) throws IOException {
    Command.Outcome tried = ScratchNamespace.run(script, input);
    return tried.ok() ? Optional.empty() : Optional.of(tried.output().trim().replace('\n', ' '));
  }

  private static Optional<String> tryHtb(RuleSet rules) throws IOException {
    Optional<String> obstacle = HtbShaper.obstacle();
    if (obstacle.isPresent()) {
      return obstacle;
    }
    String script =
        "tc qdisc add dev lo root handle "
            + ClassIds.HANDLE
            + " htb default 0 && tc class add dev lo parent "
            + ClassIds.HANDLE
            + " classid "
            + ClassIds.text(1)
            + " htb rate 1mbit burst 1600 cburst 1600 && tc qdisc add dev lo parent "
            + ClassIds.text(1)
            + " pfifo limit 10 && nft -f -";
    return trial(script, Classifier.table(List.of("lo"), rules));
  }
}
