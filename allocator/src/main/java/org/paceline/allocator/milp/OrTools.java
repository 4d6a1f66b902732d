package org.paceline.allocator.milp;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Loads the native library of OR-Tools, once for each class loader, when the first solver needs it.
 *
 * <p>A JVM gives a library's file to one class loader only, and an OSGi bundle has a new class
 * loader whenever it is installed again. So each class loader unpacks files of its own, into a
 * folder that only this user may enter, and removes them at once: what is loaded needs no file any
 * more, and nothing is left where the process is killed. The solvers themselves ({@code
 * libortools}) are in memory only once nevertheless. The dynamic linker knows them by their name
 * and never unloads them, because of their unique symbols; only the thin part that speaks with Java
 * comes and goes with its class loader.
 *
 * <p>OR-Tools' own loader finds no library in a jar within a bundle, and leaves its folder behind.
 */
final class OrTools {
  private static final String MAIN = "libjniortools.so";

  /** Which version is in memory: a name that all class loaders of the process know. */
  private static final String LOADED = "org.paceline.ortools.loaded";

  private static final Map<String, String> PLATFORMS =
      Map.of("amd64", "ortools-linux-x86-64", "aarch64", "ortools-linux-aarch64");

  private OrTools() {}

  /** Initialised at first use, by one thread, as the language promises. */
  private static final class Native {
    static final Optional<Throwable> FAILURE = attempt();

    private static Optional<Throwable> attempt() {
      try {
        load();
        return Optional.empty();
      } catch (Exception | LinkageError e) {
        return Optional.of(e);
      }
    }
  }

  /**
   * @throws IllegalStateException if this platform has no native library, or it cannot be loaded
   */
  static void require() {
    Native.FAILURE.ifPresent(
        cause -> {
          throw new IllegalStateException(
              String.format(
                  "The native library of OR-Tools cannot be loaded on %s on %s (%s). Maybe add the"
                      + " artifact com.google.ortools:ortools-<platform>, let java.io.tmpdir be"
                      + " where programs may be run, or solve without the milp methods.",
                  System.getProperty("os.name"), System.getProperty("os.arch"), cause),
              cause);
        });
  }

  private static void load() throws IOException {
    String platform = platform();
    String version = version();
    Object loaded = System.getProperties().putIfAbsent(LOADED, version);
    if (loaded != null && !loaded.equals(version)) {
      throw new IOException(
          "This process has OR-Tools "
              + loaded
              + " in memory and cannot have "
              + version
              + " beside it. Maybe restart it.");
    }
    Path folder =
        Files.createTempDirectory(
            "paceline-ortools-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try {
      unpack(platform, folder);
      System.load(folder.resolve(MAIN).toString());
    } catch (IOException | RuntimeException | LinkageError e) {
      if (loaded == null) {
        System.getProperties().remove(LOADED, version);
      }
      throw e;
    } finally {
      remove(folder);
    }
  }

  private static String platform() throws IOException {
    boolean linux = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
    String platform = PLATFORMS.get(System.getProperty("os.arch", ""));
    if (!linux || platform == null) {
      throw new IOException(
          "There is none for this platform, only for Linux on " + PLATFORMS.keySet());
    }
    return platform;
  }

  /** Of the Java part: it speaks with no other native one. */
  private static String version() throws IOException {
    String name = "/META-INF/maven/com.google.ortools/ortools-java/pom.properties";
    Properties properties = new Properties();
    try (InputStream in = OrTools.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("There is no OR-Tools among the libraries");
      }
      properties.load(in);
    }
    return properties.getProperty("version", "of an unknown version");
  }

  private static void unpack(String platform, Path folder) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(jar(platform))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        String name = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
        if (entry.getName().equals(platform + "/" + name) && !name.isEmpty()) {
          Files.copy(zip, folder.resolve(name));
        }
      }
    }
  }

  /**
   * Within a bundle, the platform's jar is a file of its own; elsewhere it is on the class path.
   */
  private static InputStream jar(String platform) throws IOException {
    InputStream within = OrTools.class.getResourceAsStream("/" + platform + ".jar");
    if (within != null) {
      return within;
    }
    URL main = OrTools.class.getResource("/" + platform + "/" + MAIN);
    if (main == null || !(main.openConnection() instanceof JarURLConnection)) {
      throw new IOException("There is no " + platform + " among the libraries");
    }
    return ((JarURLConnection) main.openConnection()).getJarFileURL().openStream();
  }

  private static void remove(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
