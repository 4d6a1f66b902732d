package org.paceline.reference;

import static org.paceline.reference.MarkdownTable.code;

import java.util.stream.Collectors;
import org.paceline.intents.kpi.Kpi;
import org.paceline.intents.kpi.KpiModel;

/** Each model of KPIs, from {@link KpiModel}. */
final class KpiModelsPage implements Page {
  @Override
  public String name() {
    return "kpi-models.md";
  }

  @Override
  public String text() {
    MarkdownTable table = new MarkdownTable("model", "KPIs", "range", "source");
    for (KpiModel model : KpiModel.values()) {
      table.row(
          code(model.word()),
          model.kpis().stream()
              .map(kpi -> code(kpi.name()) + ": " + kpi.meaning())
              .collect(Collectors.joining("; ")),
          model.kpis().stream().map(KpiModelsPage::range).collect(Collectors.joining("; ")),
          model.source());
    }
    return "# KPI models\n\n"
        + "An intent names one as its `kpiModel`: from KPIs that applications report to what their"
        + " users [experience](../operate/experience.md), clipped to 1 to 5.\n"
        + "Times are seconds (`_s`) and milliseconds (`_ms`). All KPIs of a model are needed, each in"
        + " its range.\n\n"
        + table;
  }

  private static String range(Kpi kpi) {
    return (long) kpi.least() + " to " + (long) kpi.greatest();
  }
}
