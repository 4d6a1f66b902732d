package org.paceline.allocator.milp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The library as bundles that come and go load it: by one class loader after the other. */
final class OrToolsTest {
  private static final String LOADED = "org.paceline.ortools.loaded";

  private final Optional<String> loaded = Optional.ofNullable(System.getProperty(LOADED));
  private final String architecture = System.getProperty("os.arch");

  @AfterEach
  void putBack() {
    System.setProperty("os.arch", architecture);
    loaded.ifPresentOrElse(
        version -> System.setProperty(LOADED, version), () -> System.clearProperty(LOADED));
  }

  @Test
  void classLoadersThatComeAndGoSolveWithOneLibraryInMemory() throws Exception {
    List<WeakReference<ClassLoader>> gone = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ClassLoader loader = anotherClassLoader();
      assertThat(program(loader).call()).isEqualTo(3.0);
      gone.add(new WeakReference<>(loader));
    }
    assertThat(inMemory("libortools.so")).hasSize(1);
    for (WeakReference<ClassLoader> one : gone) {
      while (one.get() != null) {
        System.gc();
        Thread.sleep(10);
      }
    }
    assertThat(program(anotherClassLoader()).call()).isEqualTo(3.0);
    assertThat(inMemory("libortools.so")).hasSize(1);
    assertNothingIsLeftBehind();
  }

  @Test
  void anotherVersionThanTheOneInMemoryIsRefused() throws Exception {
    System.setProperty(LOADED, "9.0.0");
    Callable<Double> program = program(anotherClassLoader());
    assertThatThrownBy(program::call)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("OR-Tools 9.0.0 in memory")
        .hasMessageContaining("Maybe restart it.");
    assertNothingIsLeftBehind();
  }

  @Test
  void aPlatformWithoutALibraryIsToldSo() throws Exception {
    System.setProperty("os.arch", "riscv64");
    Callable<Double> program = program(anotherClassLoader());
    assertThatThrownBy(program::call)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("riscv64")
        .hasMessageContaining("There is none for this platform");
  }

  /** The greatest of three numbers that a program finds; as another class loader sees it. */
  public static final class Program implements Callable<Double> {
    @Override
    public Double call() {
      try (Mip mip = new Mip(MipSolver.HIGHS)) {
        mip.newObjective().setCoefficient(mip.integer(0, 3.5, "x"), 1);
        return mip.maximise(Duration.ofMinutes(10), 0).value;
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static Callable<Double> program(ClassLoader loader) throws ReflectiveOperationException {
    return (Callable<Double>)
        loader.loadClass(Program.class.getName()).getDeclaredConstructor().newInstance();
  }

  /** Knows all that the tests know, but has loaded none of it. */
  private static ClassLoader anotherClassLoader() throws MalformedURLException {
    List<URL> libraries = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      libraries.add(Path.of(each).toUri().toURL());
    }
    return new URLClassLoader(libraries.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  /** The files from which something of that name is loaded, by their numbers. */
  private static Set<String> inMemory(String name) throws IOException {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.filter(line -> line.contains(name))
          .map(line -> line.split(" +")[4])
          .collect(Collectors.toSet());
    }
  }

  /** Soon: other tests, in a process of their own, may just be unpacking theirs. */
  private static void assertNothingIsLeftBehind() throws Exception {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!leftBehind().isEmpty() && System.nanoTime() < end) {
      Thread.sleep(100);
    }
    assertThat(leftBehind()).isEmpty();
  }

  private static List<Path> leftBehind() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("paceline-ortools-"))
          .collect(Collectors.toList());
    }
  }
}
