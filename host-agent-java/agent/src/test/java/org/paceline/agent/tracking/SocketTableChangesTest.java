package org.paceline.agent.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.sockets.SocketRow;

class SocketTableChangesTest {
  private static final Flow WEB = flow(1_000);
  private static final Flow MAIL = flow(1_001);

  private final SocketTableChanges changes = new SocketTableChanges();

  @Test
  void tellsOnceWhatHasComeAndWhatHasGone() {
    changes.between(table(MAIL, 7), table(WEB, 8));
    assertThat(changes.takeCame()).containsExactly(WEB);
    assertThat(changes.takeWent()).containsExactly(MAIL);
    assertThat(changes.takeCame()).isEmpty();
    assertThat(changes.takeWent()).isEmpty();
  }

  @Test
  void saysNothingOfWhatHasStayed() {
    changes.between(table(WEB, 8), table(WEB, 8));
    assertThat(changes.takeCame()).isEmpty();
    assertThat(changes.takeWent()).isEmpty();
  }

  /** Its ports were given again, or a process has accepted it: who it is of is to be asked anew. */
  @Test
  void whatIsAnotherSocketHasCome() {
    changes.between(table(WEB, 0), table(WEB, 8));
    assertThat(changes.takeCame()).containsExactly(WEB);
    assertThat(changes.takeWent()).isEmpty();
  }

  @Test
  void keepsWhatNobodyHasAskedAboutOverReadings() {
    changes.between(Map.of(), table(WEB, 8));
    changes.between(table(WEB, 8), both());
    changes.between(both(), table(MAIL, 7));
    assertThat(changes.takeCame()).containsExactly(WEB, MAIL);
    assertThat(changes.takeWent()).containsExactly(WEB);
  }

  private static Map<Flow, SocketRow> both() {
    Map<Flow, SocketRow> both = new HashMap<>(table(WEB, 8));
    both.putAll(table(MAIL, 7));
    return both;
  }

  private static Map<Flow, SocketRow> table(Flow flow, long inode) {
    return Map.of(flow, new SocketRow(flow, SocketRow.Kind.SENDING, 0, inode, true));
  }

  private static Flow flow(int port) {
    InetAddress address = InetAddress.getLoopbackAddress();
    return new Flow(Transport.TCP, address, port, address, 443);
  }
}
