package org.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.security.PrivilegedAction;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.security.auth.Subject;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.paceline.cli.conversations.ExplainCommand;
import org.paceline.cli.policy.WhatIfCommand;
import org.paceline.cli.reservations.ReserveCommand;
import org.paceline.cli.reservations.TransferCommand;
import org.paceline.cli.solve.SolveCommand;
import org.paceline.control.RememberedRecords;
import org.paceline.control.api.UseCases;
import org.paceline.control.operations.Operations;
import org.paceline.control.operations.Turns;

/** What is reckoned for the shell waits for its turn, as what is asked over REST does. */
final class ReckonedInTurnTest {
  private final Operations operations =
      new Operations(
          new RememberedRecords<>(), "test", Runnable::run, Runnable::run, Clock.systemUTC());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch done = new CountDownLatch(1);

  @AfterEach
  void end() {
    done.countDown();
    threads.shutdown();
  }

  /** A question of a user's, until the test is over. */
  private void reckonsFor(String user) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    threads.execute(
        () ->
            operations
                .turns()
                .now(
                    user,
                    () -> {
                      begun.countDown();
                      return isOver();
                    },
                    refusal -> new IllegalStateException(refusal.why)));
    begun.await();
  }

  private boolean isOver() {
    try {
      done.await();
      return true;
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static List<PacelineCommand<?>> commands() {
    return List.of(
        new WhatIfCommand(),
        new ExplainCommand(),
        new SolveCommand(),
        asking(new ReserveCommand(), "10.0.0.1", "10.0.0.2", "1mbit", "60", "--dry-run"),
        asking(
            new TransferCommand(),
            "10.0.0.1",
            "10.0.0.2",
            "1GB",
            "2030-01-01T00:00:00Z",
            "--dry-run"));
  }

  /** As Karaf hands it over, whose arguments stand before the option. */
  private static PacelineCommand<?> asking(PacelineCommand<?> command, String... words) {
    try {
      Field late = command.getClass().getSuperclass().getDeclaredField("late");
      late.setAccessible(true);
      late.set(command, List.of(words));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(command + " takes no late options", e);
    }
    return command;
  }

  @Test
  void whoseOwnQuestionIsBeingWorkedOnIsToldToComeAgain() throws Exception {
    reckonsFor("ada");
    List<CompletableFuture<String>> answers = new ArrayList<>();
    commands()
        .forEach(
            command ->
                answers.add(CompletableFuture.supplyAsync(() -> said(command, "ada"), threads)));
    for (CompletableFuture<String> answer : answers) {
      assertThat(answer.get()).contains(Turns.BUSY, "Maybe");
    }
    // They fail in their own ways then, for there is no planner.
    commands().forEach(command -> assertThat(said(command, "bob")).doesNotContain(Turns.BUSY));
  }

  @Test
  void soIsWhoeverComesWhenTwoAreWorkedOn() throws Exception {
    reckonsFor("ada");
    reckonsFor("bob");
    assertThat(said(new WhatIfCommand(), "cleo")).contains(Turns.BUSY);
    done.countDown();
    assertThat(said(new WhatIfCommand(), "cleo")).doesNotContain(Turns.BUSY);
  }

  /** With what words a command ends; each of these fails in the end. */
  private String said(PacelineCommand<?> command, String user) {
    command.bundle = bundle();
    Subject subject = new Subject();
    subject.getPrincipals().addAll(Set.of(new UserPrincipal(user), new RolePrincipal("viewer")));
    return Subject.doAs(
        subject,
        (PrivilegedAction<String>)
            () -> {
              try {
                command.execute();
                return "";
              } catch (Exception refused) {
                return String.valueOf(refused.getMessage());
              }
            });
  }

  private BundleContext bundle() {
    ServiceReference<?> reference = answering(ServiceReference.class, Map.of());
    UseCases all = answering(UseCases.class, Map.of("operations", operations));
    return answering(
        BundleContext.class, Map.of("getServiceReference", reference, "getService", all));
  }

  /** Says nothing to all other questions. */
  private static <T> T answering(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            ReckonedInTurnTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }
}
