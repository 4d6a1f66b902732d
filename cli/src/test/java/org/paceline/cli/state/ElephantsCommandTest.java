package org.paceline.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.RememberedRecords;
import org.paceline.control.ingress.IngressLists;
import org.paceline.control.ingress.ManualExporters;
import org.paceline.control.settings.ElephantListSettings;
import org.paceline.control.settings.Options;
import org.paceline.control.settings.SettingValues;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

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
    return ElephantsCommand.table(lists.states(), lists.isApplied(), lists.due()).asText();
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
    lists.look();
    tell(1, 3);
    tell(2, 1 + 1);
    clock.pass(Duration.ofDays(1));
    lists.look();
    assertThat(text(lists))
        .containsPattern(
            "192.0.2.1 +10.0.0.1/32 +10.0.1.1/32 +5.0 GB +1970-01-02 +1970-02-02 +applied")
        .containsPattern("10.0.0.2/32 +10.0.1.1/32 +2.0 GB .*beyond the bound")
        .contains("2 pairs of 1 exporters, applied.")
        .contains("3 records in 3 datagrams, 0 of them malformed, 0 lost")
        .endsWith("of 5.0 GB in alpha flows on 1970-01-02 its list caught 60 %.");
  }
}
