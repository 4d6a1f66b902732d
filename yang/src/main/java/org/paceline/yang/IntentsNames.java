package org.paceline.yang;

import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.QNameModule;
import org.opendaylight.yangtools.yang.common.Revision;
import org.opendaylight.yangtools.yang.common.XMLNamespace;

/** The names of module paceline-intents. */
final class IntentsNames {
  private static final QNameModule MODULE =
      QNameModule.create(
          XMLNamespace.of("urn:paceline:yang:paceline-intents"), Revision.of("2026-11-27"));

  static final QName INTENTS = QName.create(MODULE, "intents");
  static final QName UTILITY_FUNCTION = QName.create(MODULE, "utility-function");
  static final QName UPLOAD_UTILITY_FUNCTION = QName.create(MODULE, "upload-utility-function");
  static final QName NAME = QName.create(MODULE, "name");
  static final QName STEP = QName.create(MODULE, "step");
  static final QName RATE = QName.create(MODULE, "rate");
  static final QName WITHIN = QName.create(MODULE, "within");
  static final QName DELAY = QName.create(MODULE, "delay");
  static final QName UTILITY = QName.create(MODULE, "utility");
  static final QName INTENT = QName.create(MODULE, "intent");
  static final QName PATH = QName.create(MODULE, "path");
  static final QName MINIMUM_RATE = QName.create(MODULE, "minimum-rate");
  static final QName MAXIMUM_RATE = QName.create(MODULE, "maximum-rate");
  static final QName PRIORITY = QName.create(MODULE, "priority");
  static final QName SCHEME = QName.create(MODULE, "scheme");
  static final QName CLASS_WEIGHT = QName.create(MODULE, "class-weight");
  static final QName KPI_MODEL = QName.create(MODULE, "kpi-model");

  private IntentsNames() {}
}
