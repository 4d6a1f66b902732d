package org.paceline.control.naming;

import java.util.ArrayList;
import java.util.List;

/**
 * A list of devices as their management exports it: one a line, its MAC address and what people
 * call it, with a comma or semicolon between; more columns are left out. A first line that begins
 * with no MAC address is a heading.
 */
public final class MacListFile {
  private static final int MOST_FAULTS = 20;

  private MacListFile() {}

  /**
   * @throws IllegalArgumentException with the faults and their lines
   */
  public static List<MacPrefix> read(String csv) {
    List<MacPrefix> macs = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    String[] lines = csv.split("\\R", -1);
    for (int i = 0; i < lines.length; i++) {
      String[] columns = lines[i].split("[,;]", -1);
      String mac = unquoted(columns[0]);
      if (lines[i].isBlank() || mac.startsWith("#")) {
        continue;
      }
      try {
        macs.add(MacPrefix.parse(mac, columns.length > 1 ? unquoted(columns[1]) : ""));
      } catch (IllegalArgumentException fault) {
        if (i > 0 && faults.size() < MOST_FAULTS) {
          faults.add("line " + (i + 1) + ": " + fault.getMessage());
        }
      }
    }
    if (macs.isEmpty() && faults.isEmpty()) {
      faults.add("The list has no MAC address. Maybe write one a line: 00:1b:54:aa:bb:cc,desk 12");
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", faults));
    }
    return macs;
  }

  private static String unquoted(String column) {
    String text = column.trim();
    boolean isQuoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    return isQuoted ? text.substring(1, text.length() - 1).trim() : text;
  }
}
