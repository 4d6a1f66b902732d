package org.paceline.control.assurance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.model.Alarm;
import org.paceline.control.port.FreeSpace;

final class NearlyFullDiskTest {
  private static final Duration SOON = Duration.ofSeconds(6);
  private static final long MEGABYTE = 1_000_000;

  private final Disk disk = new Disk();
  private final ManualWorker worker = new ManualWorker();
  private final List<String> warnings = new ArrayList<>();
  private int leastMegabytes = 500;
  private final NearlyFullDisk watch =
      new NearlyFullDisk(
          disk,
          () -> leastMegabytes,
          worker,
          worker,
          new Nobody.NoJournal() {
            @Override
            public void warn(String sentence) {
              warnings.add(sentence);
            }
          });

  private static final class Disk implements FreeSpace {
    long free = 500 * MEGABYTE;
    boolean isGone;

    @Override
    public String place() {
      return "/srv/onos/db/partitions";
    }

    @Override
    public long bytes() throws IOException {
      if (isGone) {
        throw new IOException("Stale file handle");
      }
      return free;
    }
  }

  @Test
  void theAlarmNamesTheDiskWhatIsFreeTheBoundAndTheWayOut() {
    watch.start();
    worker.pass(SOON);
    assertThat(watch.alarms()).isEmpty();
    disk.free--;
    worker.pass(SOON);
    Alarm alarm = watch.alarms().get(0);
    assertThat(alarm.kind()).isEqualTo(Alarm.Kind.DISK_NEARLY_FULL);
    assertThat(alarm.about()).isEqualTo("the disk");
    assertThat(alarm.sentence())
        .isEqualTo(
            "The disk of ONOS's stores (/srv/onos/db/partitions) has (499999999) bytes free, and the"
                + " alarm (diskAlarmMegabytes) is at (500000000). On a full disk ONOS's own store can"
                + " lose what it holds. Maybe remove old logs and exports from it, or give it more"
                + " room; the alarm ends at (550000000) bytes.");
  }

  @Test
  void itStaysUntilThereIsATenthMoreAndKeepsItsBegin() {
    disk.free = 100 * MEGABYTE;
    watch.start();
    worker.pass(SOON);
    Instant since = watch.alarms().get(0).since();
    disk.free = 550 * MEGABYTE - 1;
    worker.pass(SOON);
    assertThat(watch.alarms().get(0).since()).isEqualTo(since);
    assertThat(watch.alarms().get(0).sentence()).contains("(549999999)");
    disk.free = 550 * MEGABYTE;
    worker.pass(SOON);
    assertThat(watch.alarms()).isEmpty();
    disk.free = 500 * MEGABYTE;
    worker.pass(SOON);
    assertThat(watch.alarms()).isEmpty();
  }

  @Test
  void anotherBoundHoldsAtOnceAndZeroIsForNoAlarm() {
    watch.start();
    worker.pass(SOON);
    leastMegabytes = 10_000_000;
    watch.lookSoon();
    worker.pass(Duration.ZERO);
    assertThat(watch.alarms()).hasSize(1);
    leastMegabytes = 0;
    watch.lookSoon();
    worker.pass(Duration.ZERO);
    assertThat(watch.alarms()).isEmpty();
    disk.free = 0;
    worker.pass(SOON);
    assertThat(watch.alarms()).isEmpty();
  }

  @Test
  void whatCannotBeReadIsSaidOnceAndTheAlarmStaysAsItIs() {
    disk.free = 1;
    watch.start();
    worker.pass(SOON);
    List<Alarm> before = watch.alarms();
    disk.isGone = true;
    worker.pass(SOON.multipliedBy(3));
    assertThat(watch.alarms()).isEqualTo(before).hasSize(1);
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0)).contains("(/srv/onos/db/partitions)", "Stale file handle");
    disk.isGone = false;
    worker.pass(SOON);
    disk.isGone = true;
    worker.pass(SOON);
    assertThat(warnings).hasSize(2);
  }
}
