package org.paceline.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.cli.Talkers;
import org.paceline.cli.table.Table;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.RememberedRecords;
import org.paceline.control.ingress.IngressLists;
import org.paceline.control.ingress.ManualExporters;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.port.ReservedRates;
import org.paceline.control.settings.ElephantListSettings;
import org.paceline.control.settings.Options;
import org.paceline.control.settings.SettingValues;
import org.paceline.control.view.ElephantView;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

final class ElephantsCommandTest {
  private static final IpAddress ROUTER = IpAddress.parse("192.0.2.1");

  private final ManualWorker clock = new ManualWorker();
  private final ManualExporters exporters = new ManualExporters();

  private IngressLists lists(Map<String, String> set) {
    ElephantListSettings settings =
        new Options(SettingValues.byDefault().with(set)).elephantLists();
    IngressLists lists =
        new IngressLists(
            new RememberedRecords<>(),
            exporters,
            Runnable::run,
            clock,
            new Nobody.NoJournal(),
            settings);
    lists.goBy(settings);
    return lists;
  }

  private static String text(IngressLists lists) {
    return ElephantsCommand.table(lists.states(), List.of(), lists.isApplied(), lists.due())
        .asText();
  }

  private void tell(int from, long gigabytes) {
    long now = clock.instant().toEpochMilli();
    exporters.tell(
        ROUTER,
        FlowRecord.of(
            IpAddress.parse("10.0.0." + from),
            IpAddress.parse("10.0.1.1"),
            now,
            now + 30_000,
            gigabytes * 1_000_000_000));
  }

  @Test
  void withoutExportersThatIsSaid() {
    assertThat(text(lists(Map.of())))
        .endsWith(
            "0 pairs of 0 exporters, only shown. The next lists are made at"
                + " 1970-01-01T02:00:00Z.");
  }

  @Test
  void whoIsLedApartIsSaidWithItsPathAndCircuit() {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of("h1", "copy"))
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .build();
    Proof proof =
        Proof.of(
                conversation,
                Talkers.TREE.resolve("").ruledBy(SchemeName.ELEPHANT_ISOLATION),
                Instant.EPOCH)
            .toBuilder()
            .computed(
                Optional.of(
                    Grant.of(
                        "h1/copy",
                        1,
                        DataRate.ofKilobitsPerSecond(5_000),
                        Latency.ofMillis(3),
                        Utility.MAX,
                        Path.of(List.of("h1", "s1", "h2")))))
            .isPaced(true)
            .build();
    ReservedRates.Due due =
        ReservedRates.Due.firm(DataRate.ofKilobitsPerSecond(800))
            .asCircuit()
            .plus(ReservedRates.Due.firm(DataRate.ofKilobitsPerSecond(100)));
    IngressLists lists = lists(Map.of());
    Table table =
        ElephantsCommand.table(
            lists.states(),
            ElephantView.of(List.of(proof), Map.of(conversation.id(), due)),
            lists.isApplied(),
            lists.due());
    assertThat(table.asText())
        .endsWith(
            " Conversation h1/copy is led apart by h1 -> s1 -> h2: 5000 kbit/s are granted, to"
                + " which it is held, 800 kbit/s promised by its circuit.");
  }

  @Test
  void pairsAreListedWithWhatTheirListWasGoodFor() {
    IngressLists lists =
        lists(
            Map.of(
                "flowExporters",
                "192.0.2.1",
                "elephantListPairs",
                "1",
                "elephantListUse",
                "apply"));
    tell(1, 2);
    clock.pass(Duration.ofDays(1));
    lists.look(List.of());
    tell(1, 3);
    tell(2, 1 + 1);
    clock.pass(Duration.ofDays(1));
    lists.look(List.of());
    assertThat(text(lists))
        .containsPattern(
            "192.0.2.1 +10.0.0.1/32 +10.0.1.1/32 +5.0 GB +1970-01-02 +1970-02-02 +applied")
        .containsPattern("10.0.0.2/32 +10.0.1.1/32 +2.0 GB .*beyond the bound")
        .contains("2 pairs of 1 exporters, applied.")
        .contains("3 records in 3 datagrams, 0 of them malformed, 0 lost")
        .endsWith("of 5.0 GB in alpha flows on 1970-01-02 its list caught 60 %.");
  }
}
