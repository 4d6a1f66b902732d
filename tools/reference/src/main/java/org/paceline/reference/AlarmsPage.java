package org.paceline.reference;

import static org.paceline.reference.MarkdownTable.code;

import org.paceline.control.model.Alarm;

/** Each kind of alarm, from {@link Alarm.Kind}. */
final class AlarmsPage implements Page {
  @Override
  public String name() {
    return "alarms.md";
  }

  @Override
  public String text() {
    MarkdownTable table = new MarkdownTable("kind", "raised when", "lasts until", "what to do");
    for (Alarm.Kind kind : Alarm.Kind.values()) {
      table.row(code(kind.word()), kind.meaning(), kind.ends(), kind.remedy());
    }
    return "# Alarms\n\n"
        + "They are in `GET alarms` with their `kind`, in `paceline:alarms`, in RESTCONF's"
        + " `paceline-plan:plan`, in ONOS's log, and told by\n"
        + "[webhooks](../operate/programs.md#be-told-of-changes). Each has a sentence that names"
        + " what was wanted, what was found and where.\n\n"
        + table;
  }
}
