package org.paceline.reference;

import java.util.List;

/** All pages that are made. */
final class Reference {
  private static final String FIRST_LINE =
      "<!-- Made from the code by \"tools/paceline reference\"; what is written here by hand is lost. -->\n";

  private Reference() {}

  static List<Page> pages() {
    return List.of(
        new SettingsPage(),
        new RestPage(),
        new ShellPage(),
        new YangPage(),
        new AgentPage(),
        new AlarmsPage(),
        new KpiModelsPage());
  }

  /** As the file holds it. */
  static String file(Page page) throws java.io.IOException {
    return FIRST_LINE + page.text().stripTrailing() + "\n";
  }
}
