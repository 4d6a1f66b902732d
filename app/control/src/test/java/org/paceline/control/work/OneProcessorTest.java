package org.paceline.control.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.security.auth.Subject;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;

final class OneProcessorTest {
  private static <T> T reckoned(Supplier<T> work) {
    return OneProcessor.of(work, took -> {});
  }

  private static Set<Thread> threadsOfParallelWork() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 10_000).parallel().forEach(i -> threads.add(Thread.currentThread()));
    return threads;
  }

  @Test
  void parallelStreamsTakeNoThreadBesideTheOneThatIsTheirs() {
    Set<Thread> threads =
        reckoned(
            () -> {
              Set<Thread> used = threadsOfParallelWork();
              assertThat(used).containsExactly(Thread.currentThread());
              return used;
            });
    assertThat(threads).doesNotContain(Thread.currentThread());
  }

  @Test
  void whatIsThrownIsTheSameForWhoAsks() {
    RuntimeException bug = new IllegalStateException("a test");
    assertThatThrownBy(
            () ->
                reckoned(
                    () -> {
                      throw bug;
                    }))
        .isSameAs(bug);
    Error error = new StackOverflowError("a test");
    assertThatThrownBy(
            () ->
                reckoned(
                    () -> {
                      throw error;
                    }))
        .isSameAs(error);
  }

  @Test
  void plansGoFirst() {
    assertThat(reckoned(() -> Thread.currentThread().getPriority())).isEqualTo(Thread.MIN_PRIORITY);
  }

  @Test
  void whoIsLoggedInIsKnown() {
    Subject anna = new Subject();
    anna.getPrincipals().add(new X500Principal("CN=anna"));
    assertThat(
            Subject.doAs(
                anna,
                (PrivilegedAction<Subject>)
                    () -> reckoned(() -> Subject.getSubject(AccessController.getContext()))))
        .isSameAs(anna);
  }

  @Test
  void classesAreFoundAsByTheThreadThatAsks() {
    ClassLoader mine = Thread.currentThread().getContextClassLoader();
    assertThat(reckoned(() -> Thread.currentThread().getContextClassLoader())).isSameAs(mine);
  }
}
