package org.paceline.bench.workload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Real networks from the Internet Topology Zoo and SNDlib, as the Python package TopoHub ships them
 * (Jurkiewicz 2023). The package is fetched when it is needed and is no part of the product.
 */
public final class PublicTopologies {
  private static final String PACKAGE = "topohub==1.5.1";
  private static final String SHA256 =
      "331dd0dab419ede67d5a680b724795d2320fb7f45bd8f2cf2281f155a117cdbb";
  private static final String WHEEL = "topohub-1.5.1-py3-none-any.whl";
  private static final double FIBRE_KM_PER_MS = 200;

  private final Path wheel;

  private PublicTopologies(Path wheel) {
    this.wheel = wheel;
  }

  /** The collection, fetched into a folder unless it is there; empty where it cannot be had. */
  public static Optional<PublicTopologies> in(Path folder) throws IOException {
    Path wheel = folder.resolve(WHEEL);
    if (!Files.exists(wheel)) {
      Files.createDirectories(folder);
      Path wanted =
          Files.writeString(
              folder.resolve("topologies.txt"), PACKAGE + " --hash=sha256:" + SHA256 + "\n");
      Process pip =
          new ProcessBuilder(
                  "python3",
                  "-m",
                  "pip",
                  "download",
                  "-q",
                  "--disable-pip-version-check",
                  "--no-deps",
                  "--require-hashes",
                  "-r",
                  wanted.toString(),
                  "-d",
                  folder.toString())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("topologies.log").toFile())
              .start();
      try {
        pip.waitFor();
      } catch (InterruptedException e) {
        pip.destroy();
        Thread.currentThread().interrupt();
      }
    }
    return Files.exists(wheel) ? Optional.of(new PublicTopologies(wheel)) : Optional.empty();
  }

  /**
   * @param name such as {@code sndlib/germany50}
   */
  public Topology read(String name) throws IOException {
    try (ZipFile zip = new ZipFile(wheel.toFile())) {
      ZipEntry entry = zip.getEntry("topohub/data/" + name + ".json");
      if (entry == null) {
        throw new IOException("The collection has no topology " + name + ".");
      }
      try (InputStream in = zip.getInputStream(entry);
          JsonParser json = new JsonFactory().createParser(in)) {
        return read(json, name.substring(name.indexOf('/') + 1).toLowerCase(Locale.ROOT));
      }
    }
  }

  private static Topology read(JsonParser json, String name) throws IOException {
    GeneratedTopologies.Builder builder = new GeneratedTopologies.Builder();
    json.nextToken();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String member = json.currentName();
      json.nextToken();
      if (member.equals("edges") || member.equals("links")) {
        while (json.nextToken() == JsonToken.START_OBJECT) {
          edge(json, builder);
        }
      } else {
        json.skipChildren();
      }
    }
    Topology topology = builder.named(name, List.of());
    List<String> edges = new ArrayList<>(new TreeSet<>(topology.network().nodes()));
    return new Topology(name, topology.network(), edges);
  }

  private static void edge(JsonParser json, GeneratedTopologies.Builder builder)
      throws IOException {
    String source = "";
    String target = "";
    double kilometres = 0;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String member = json.currentName();
      json.nextToken();
      switch (member) {
        case "source" -> source = json.getText();
        case "target" -> target = json.getText();
        case "dist" -> kilometres = json.getDoubleValue();
        default -> json.skipChildren();
      }
    }
    if (!source.equals(target)) {
      // Sites of one town still have some cable between them.
      builder.link("n" + source, "n" + target, Math.max(0.05, kilometres / FIBRE_KM_PER_MS));
    }
  }
}
