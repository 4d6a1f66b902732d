package org.paceline.yang;

import java.io.IOException;
import java.util.List;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.repo.api.YangTextSchemaSource;
import org.opendaylight.yangtools.yang.parser.api.YangParser;
import org.opendaylight.yangtools.yang.parser.api.YangParserException;
import org.opendaylight.yangtools.yang.parser.impl.DefaultYangParserFactory;
import org.opendaylight.yangtools.yang.xpath.impl.AntlrXPathParserFactory;

/** The YANG modules that ship with Paceline, read once into one effective model (RFC 7950). */
public final class PacelineModel {
  private static final List<String> MODULES =
      List.of(
          "ietf-inet-types@2013-07-15",
          "ietf-yang-types@2013-07-15",
          "paceline-types@2026-11-30",
          "paceline-intents@2026-11-27",
          "paceline-conversations@2026-11-28",
          "paceline-plan@2026-11-28",
          "paceline-explain@2026-11-29",
          "paceline-ceilings@2026-11-23",
          "paceline-enrolment@2026-11-28",
          "paceline-classes@2026-11-28",
          "paceline-ledger@2026-11-26",
          "paceline-elephants@2026-11-28",
          "paceline-reservations@2026-11-28",
          "paceline-policy@2026-11-29",
          "paceline-settings@2026-11-30",
          "ietf-network@2018-02-26",
          "ietf-network-topology@2018-02-26",
          "ietf-network-state@2018-02-26",
          "ietf-network-topology-state@2018-02-26",
          "paceline-network@2026-11-30",
          "ietf-datastores@2018-02-14",
          "ietf-yang-library@2019-01-04",
          "ietf-restconf-monitoring@2017-01-26");

  private PacelineModel() {}

  /** Reads all modules; some tenths of a second. */
  public static EffectiveModelContext load() {
    // Named: the parser would look for it through the thread's class loader, which in OSGi is
    // anybody's.
    YangParser parser = new DefaultYangParserFactory(new AntlrXPathParserFactory()).createParser();
    try {
      for (String module : MODULES) {
        parser.addSource(
            YangTextSchemaSource.forResource(PacelineModel.class, "/yang/" + module + ".yang"));
      }
      return parser.buildEffectiveModel();
    } catch (YangParserException | IOException e) {
      throw new IllegalStateException("The YANG modules that ship with Paceline are broken.", e);
    }
  }
}
