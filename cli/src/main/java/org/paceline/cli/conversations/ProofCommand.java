package org.paceline.cli.conversations;

import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.NodeNames;
import org.paceline.control.model.Proof;
import org.paceline.control.model.TcpReading;
import org.paceline.control.view.ConversationView;
import org.paceline.control.view.Word;
import org.paceline.intents.problem.Grant;

/** One conversation: what was asked for, granted, installed at each place, and measured. */
@Service
@Command(
    scope = "paceline",
    name = "proof",
    description = "One conversation: requested, computed, installed at each place, measured",
    detailedDescription = "classpath:help/proof.txt")
public final class ProofCommand extends PacelineCommand<ConversationService> {
  @Argument(
      name = "conversation",
      description = "HOST/ID, as paceline:conversations lists it",
      required = true)
  @Completion(ConversationCompleter.class)
  String conversation = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public ProofCommand() {
    super(UseCases::conversations);
  }

  @Override
  protected Table table(ConversationService use) {
    return table(ConversationsCommand.find(use, conversation), use.nodeNames());
  }

  static Table table(Proof proof, NodeNames names) {
    Table table =
        new Table("step", "at", "wanted", "found", "standing").toned("standing", Tone::ofState);
    table.row(
        "requested",
        proof.requested().utilityFunction().origin().toString(),
        "utility function " + proof.requested().utilityFunction().value().name(),
        "intent " + proof.conversation().intent(),
        Word.of(proof.state()));
    table.row(
        "computed",
        proof.computed().map(Grant::path).map(names::of).orElse(Words.NONE),
        Words.rate(proof.computed().map(Grant::rate)),
        "lent "
            + Words.rate(Optional.of(proof.lent()))
            + ConversationView.of(proof)
                .borrowsUpTo()
                .map(most -> ", borrows up to " + Words.rate(Optional.of(most)))
                .orElse(""),
        "utility " + Words.utility(proof.computed().map(Grant::utility)));
    proof
        .subClass()
        .ifPresent(
            name ->
                table.row(
                    "service class",
                    proof.requested().classWeight().origin().toString(),
                    "weight " + proof.requested().classWeight().value(),
                    "sub-class " + name,
                    Words.NONE));
    proof
        .reservation()
        .ifPresent(
            of ->
                table.row(
                    "reservation",
                    proof.requested().node().toString(),
                    Words.rate(of.reserved()),
                    "is taken to want " + Words.rate(of.wanted()),
                    of.isAsking() ? "asks" : "lends what it leaves"));
    for (InstalledElement element : proof.elements()) {
      table.row(
          "installed",
          element.at() + " " + Word.of(element.kind()) + " " + element.name(),
          element.wanted(),
          element.found().isEmpty() ? "-" : element.found(),
          Word.of(element.standing()));
    }
    table.row(
        "measured",
        proof.conversation().id().host(),
        Words.installed(ConversationView.of(proof)),
        Words.rate(proof.measured()),
        proof.sentBytes() + " bytes, " + proof.droppedPackets() + " dropped");
    proof.tcp().ifPresent(tcp -> tcp(table, proof, tcp));
    proof
        .experience()
        .ifPresent(
            felt ->
                table.row(
                    "experienced",
                    "KPI model " + felt.model().word(),
                    "utility " + Words.utility(proof.computed().map(Grant::utility)),
                    "utility " + Words.utility(felt.utility()),
                    felt.text()));
    long drifted = proof.elements().stream().filter(InstalledElement::isDrifted).count();
    table.conclude(
        drifted > 0
            ? drifted + " of " + proof.elements().size() + " elements are not as wanted."
            : proof.reason().isEmpty() ? "All is as wanted." : proof.reason(),
        drifted > 0 ? Tone.BAD : proof.reason().isEmpty() ? Tone.GOOD : Tone.NOTABLE);
    return table;
  }

  private static void tcp(Table table, Proof proof, TcpReading tcp) {
    table.row(
        "TCP",
        proof.conversation().id().host(),
        "-",
        "round trip " + Words.delay(tcp.smoothedRtt()),
        tcp.retransmittedSegments() + " segments sent again");
  }
}
