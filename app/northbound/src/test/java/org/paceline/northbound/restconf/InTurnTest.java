package org.paceline.northbound.restconf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.paceline.control.RememberedRecords;
import org.paceline.control.audit.User;
import org.paceline.control.operations.Operations;
import org.paceline.yang.restconf.message.Reply;
import org.paceline.yang.restconf.message.RestconfError;

final class InTurnTest {
  private final Operations operations =
      new Operations(
          new RememberedRecords<>(), "here", Runnable::run, Runnable::run, Clock.systemUTC());
  private final Queue<Reply> refused = new ConcurrentLinkedQueue<>();

  private static Requester requester(String name) {
    Map<String, Object> answers =
        Map.of("getUserPrincipal", User.of(name, Set.of("viewer")), "getRemoteUser", name);
    return new Requester(
        (HttpServletRequest)
            Proxy.newProxyInstance(
                InTurnTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, asked, arguments) -> answers.get(asked.getName())),
        new byte[0]);
  }

  @Test
  void whoeverAsksTooManyAtATimeIsToldWhenToComeAgainAndOthersAreServed() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    InTurn slow =
        new InTurn(
            (input, who) -> {
              await(end);
              return input;
            },
            () -> operations);
    List<Thread> asking = new ArrayList<>();
    // One has a turn, five wait, and one is too many.
    for (int i = 0; i < 7; i++) {
      Thread one = new Thread(() -> ask(slow, end));
      one.start();
      asking.add(one);
    }
    await(end);
    for (Thread one : asking) {
      one.join();
    }
    Reply first = refused.element();
    assertThat(first.status()).isEqualTo(429);
    assertThat(first.headers()).containsEntry("Retry-After", "1");
    assertThat(first.body().toString()).contains("resource-denied", "Maybe");
  }

  /** Whoever is refused lets the others go, once somebody else was served beside them. */
  private void ask(InTurn slow, CountDownLatch end) {
    try {
      slow.call(new JsonObject(), requester("vera"));
    } catch (RestconfError tooMany) {
      refused.add(tooMany.reply());
      new InTurn((input, who) -> input, () -> operations).call(new JsonObject(), requester("olga"));
      end.countDown();
    }
  }

  private static void await(CountDownLatch end) {
    try {
      assertThat(end.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
