package org.paceline.runtime.providers.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.paceline.runtime.providers.openflow.translation.Rules;

class ConnectionsTest {
  private static final DeviceId DEVICE = Rules.DEVICE;
  private static final String CAME = "came";
  private static final String WENT = "went";

  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private final Queue<Runnable> pauses = new ArrayDeque<>();
  private volatile @Nullable OpenFlowSwitch there;
  private volatile Runnable whileItGoes = () -> {};
  private boolean isBroken;

  private final Connections connections =
      new Connections(
          new Switches(answering(OpenFlowController.class)), (millis, task) -> pauses.add(task));

  private final Connections.Listener listener =
      new Connections.Listener() {
        @Override
        public void came(OpenFlowSwitch of) {
          assertThat(connections.isThere(DEVICE)).isTrue();
          if (isBroken) {
            throw new IllegalStateException("There is no majority.");
          }
          told.add(CAME);
        }

        @Override
        public void went(DeviceId device) {
          assertThat(connections.isThere(DEVICE)).isFalse();
          whileItGoes.run();
          told.add(WENT);
        }
      };

  @Test
  void aSwitchComesAtOnceAndAgainOnlyAfterAPause() {
    connect();
    there = null;
    connections.ended(DEVICE, listener);
    connect();
    assertThat(told).containsExactly(CAME, WENT);

    pauses.remove().run();

    assertThat(told).containsExactly(CAME, WENT, CAME);
    assertThat(pauses).isEmpty();
  }

  @Test
  void aSwitchThatIsThereAgainBeforeItsEndIsToldIsThereAfterwards() {
    connect();
    connect();
    connections.ended(DEVICE, listener);
    assertThat(connections.isThere(DEVICE)).isFalse();

    pauses.remove().run();

    assertThat(told).containsExactly(CAME, CAME, WENT, CAME);
  }

  @Test
  void aSwitchThatComesWhileItsEndIsToldIsThereAfterwards() throws Exception {
    connect();
    Thread comesBack = new Thread(this::connect);
    whileItGoes =
        () -> {
          comesBack.start();
          // It has its way now, or it waits for its turn.
          while (comesBack.getState() == Thread.State.NEW
              || comesBack.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
          }
        };

    connections.ended(DEVICE, listener);
    comesBack.join();
    pauses.remove().run();

    assertThat(told).containsExactly(CAME, WENT, CAME);
  }

  @Test
  void aSwitchThatCouldNotBeToldOfIsToldOfAfterAWhile() {
    isBroken = true;
    connect();
    assertThat(connections.isThere(DEVICE)).isFalse();
    isBroken = false;

    pauses.remove().run();

    assertThat(told).containsExactly(CAME);
    assertThat(connections.isThere(DEVICE)).isTrue();
  }

  @Test
  void aSwitchWhoseEndCouldNotBeToldIsThereAfterwards() {
    connect();
    whileItGoes =
        () -> {
          throw new IllegalStateException("There is no majority.");
        };
    connect();
    assertThatThrownBy(() -> connections.ended(DEVICE, listener))
        .hasMessage("There is no majority.");

    pauses.remove().run();

    assertThat(told).containsExactly(CAME, CAME, CAME);
  }

  @Test
  void oneConnectionIsToldOnce() {
    connect();
    connections.begun(DEVICE, listener);

    assertThat(told).containsExactly(CAME);
  }

  @Test
  void aSwitchThatStaysAwayIsNotToldAgain() {
    connect();
    there = null;
    connections.ended(DEVICE, listener);
    connections.ended(DEVICE, listener);

    pauses.remove().run();

    assertThat(told).containsExactly(CAME, WENT, WENT);
    assertThat(pauses).isEmpty();
  }

  private void connect() {
    there = answering(OpenFlowSwitch.class);
    connections.begun(DEVICE, listener);
  }

  /** One that is connected, and what knows which switch is there. */
  private <T> T answering(Class<T> asked) {
    return asked.cast(
        Proxy.newProxyInstance(
            asked.getClassLoader(),
            new Class<?>[] {asked},
            (proxy, method, arguments) ->
                method.getName().equals("isConnected") ? Boolean.TRUE : there));
  }
}
