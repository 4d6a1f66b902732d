package org.paceline.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** SpotBugs looks at what is written by hand, though most of this package is generated. */
final class SpotBugsExclusionTest {
  private static final Path EXCLUDED = Path.of("../../tools/checks/spotbugs-exclude.xml");
  private static final Path WRITTEN = Path.of("src/main/java/org/paceline/protocol");
  private static final String PACKAGE = "org.paceline.protocol";

  @Test
  void nothingWrittenByHandIsLeftOut() throws Exception {
    try (Stream<Path> files = Files.list(WRITTEN)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.equals("package-info.java"))
              .map(name -> name.replace(".java", ""))
              .collect(Collectors.toUnmodifiableList());
      assertThat(names).contains("PemFile").noneMatch(SpotBugsExclusionTest::isLeftOut);
    }
  }

  @Test
  void whatIsGeneratedIsLeftOut() {
    assertThat(Stream.of("Hello", "Hello$Builder", "HelloOrBuilder", "AgentGatewayGrpc"))
        .allMatch(SpotBugsExclusionTest::isLeftOut);
  }

  /** Whatever its bug. */
  private static boolean isLeftOut(String name) {
    try {
      Element filter =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(EXCLUDED.toFile())
              .getDocumentElement();
      return inside(filter).anyMatch(match -> matches(match, name));
    } catch (Exception unreadable) {
      throw new AssertionError(EXCLUDED + " cannot be read", unreadable);
    }
  }

  private static boolean matches(Element part, String name) {
    switch (part.getTagName()) {
      case "Match":
        return inside(part).allMatch(inner -> matches(inner, name));
      case "Not":
        return inside(part).noneMatch(inner -> matches(inner, name));
      case "Package":
        return isNamed(part, PACKAGE);
      case "Class":
        return isNamed(part, PACKAGE + "." + name);
      case "Bug":
        return false;
      default:
        throw new AssertionError("This test does not know <" + part.getTagName() + ">.");
    }
  }

  /** As the filter has it: a regular expression begins with a tilde. */
  private static boolean isNamed(Element part, String name) {
    String wanted = part.getAttribute("name");
    return wanted.startsWith("~") ? name.matches(wanted.substring(1)) : name.equals(wanted);
  }

  private static Stream<Element> inside(Element part) {
    NodeList nodes = part.getChildNodes();
    return IntStream.range(0, nodes.getLength())
        .mapToObj(nodes::item)
        .filter(node -> node.getNodeType() == Node.ELEMENT_NODE)
        .map(Element.class::cast);
  }
}
