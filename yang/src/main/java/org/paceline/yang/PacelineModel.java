package org.paceline.yang;

import java.io.IOException;
import java.util.List;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.repo.api.YangTextSchemaSource;
import org.opendaylight.yangtools.yang.parser.api.YangParser;
import org.opendaylight.yangtools.yang.parser.api.YangParserException;
import org.opendaylight.yangtools.yang.parser.impl.DefaultYangParserFactory;

/** The YANG modules that ship with Paceline, read once into one effective model (RFC 7950). */
public final class PacelineModel {
  private static final List<String> MODULES =
      List.of(
          "ietf-inet-types@2013-07-15",
          "ietf-yang-types@2013-07-15",
          "paceline-types@2026-11-21",
          "paceline-intents@2026-11-21",
          "paceline-conversations@2026-11-21");

  private PacelineModel() {}

  /** Reads all modules; some tenths of a second. */
  public static EffectiveModelContext load() {
    YangParser parser = new DefaultYangParserFactory().createParser();
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
