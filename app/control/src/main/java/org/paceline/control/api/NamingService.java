package org.paceline.control.api;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Refused;
import org.paceline.control.naming.FoundFlows;
import org.paceline.control.naming.MacListFile;
import org.paceline.control.naming.NamingRulesFile;
import org.paceline.control.naming.NamingRulesStore;

/** By which rules flows of hosts without an agent are named, and how many were found. */
public final class NamingService {
  private final NamingRulesStore store;
  private final NamingRulesFile file;
  private final FoundFlows found;

  /**
   * @param file how rules are exported and imported
   */
  public NamingService(NamingRulesStore store, NamingRulesFile file, FoundFlows found) {
    this.store = store;
    this.file = file;
    this.found = found;
  }

  /** The rules in force, and how others come into force. */
  public NamingRulesStore store() {
    return store;
  }

  /** How rules are exported and imported. */
  public NamingRulesFile file() {
    return file;
  }

  /**
   * Puts a list of devices, as their management exports it, in the place of the one of this name.
   *
   * @param csv one a line: MAC address, name
   * @throws IllegalArgumentException with every fault
   * @throws Refused if others are quicker
   */
  public NamingRulesStore.Version importMacs(Author author, String name, String csv) {
    NamingRulesStore.Version before = store.inForce();
    return store.set(
        author,
        csv,
        before.rules().withMacs(name, MacListFile.read(csv)),
        OptionalLong.of(before.number()));
  }

  /** How many conversations are open that rules found. */
  public int found() {
    return found.count();
  }

  /** A sentence for each thing that is odd. */
  List<String> notes() {
    List<String> notes = new ArrayList<>(store.warnings());
    found
        .turnedAway()
        .forEach(
            (sender, flows) ->
                notes.add(
                    "Of host "
                        + sender
                        + " "
                        + flows
                        + " packets began flows that a naming rule names and that had no room: at"
                        + " most "
                        + FoundFlows.MOST_OF_A_SENDER
                        + " conversations are found of a host, and "
                        + FoundFlows.MOST_IN_ALL
                        + " in all. Maybe it scans, or a rule says (group: socket) where (address)"
                        + " would do."));
    return notes;
  }
}
