package org.paceline.flowrecords;

import org.paceline.intents.address.IpAddress;

/** NetFlow version 9, RFC 3954. */
final class NetFlow9 {
  static final int VERSION = 9;

  private static final int TEMPLATES = 0;
  private static final int OPTIONS_TEMPLATES = 1;
  private static final int SET_HEADER = 4;
  private static final int FIELD = 4;

  private final Exporters exporters;
  private final Tally tally;
  private final DataSets dataSets;

  NetFlow9(Exporters exporters, Tally tally, DataSets dataSets) {
    this.exporters = exporters;
    this.tally = tally;
    this.dataSets = dataSets;
  }

  /** Reads what follows the version. */
  void decode(IpAddress address, Bytes datagram) throws Malformed {
    // The number of records, which exporters count in different ways.
    datagram.skip(2);
    long uptime = datagram.unsignedInt();
    long seconds = datagram.unsignedInt();
    long sequence = datagram.unsignedInt();
    Exporter exporter = exporters.get(address, VERSION, datagram.unsignedInt());
    tally.lostDatagrams(exporter.sequence.took(sequence, 1));
    ExportClock clock = ExportClock.of(seconds * 1_000, uptime);
    while (datagram.remaining() >= SET_HEADER) {
      int id = datagram.unsignedShort();
      Bytes set = datagram.part(datagram.unsignedShort() - SET_HEADER);
      if (id == TEMPLATES) {
        templates(set, exporter);
      } else if (id == OPTIONS_TEMPLATES) {
        optionsTemplates(set, exporter);
      } else if (id >= DataSets.FIRST) {
        dataSets.read(id, set, exporter, clock);
      }
    }
  }

  private static void templates(Bytes set, Exporter exporter) throws Malformed {
    while (set.remaining() >= SET_HEADER) {
      int id = set.unsignedShort();
      int fields = set.unsignedShort();
      if (id < DataSets.FIRST) {
        // Padding, or nonsense.
        return;
      }
      Template.Builder template = new Template.Builder(false);
      for (int i = 0; i < fields; i++) {
        template.add(Element.of(set.unsignedShort()), fixed(set.unsignedShort()));
      }
      exporter.define(id, template.build());
    }
  }

  private static void optionsTemplates(Bytes set, Exporter exporter) throws Malformed {
    while (set.remaining() >= SET_HEADER + 2) {
      int id = set.unsignedShort();
      int scopes = set.unsignedShort() / FIELD;
      int options = set.unsignedShort() / FIELD;
      if (id < DataSets.FIRST) {
        return;
      }
      Template.Builder template = new Template.Builder(true);
      for (int i = 0; i < scopes; i++) {
        // Scopes have numbers of their own, which are no elements.
        set.skip(2);
        template.add(Element.OTHER, fixed(set.unsignedShort()));
      }
      for (int i = 0; i < options; i++) {
        template.add(Element.of(set.unsignedShort()), fixed(set.unsignedShort()));
      }
      exporter.define(id, template.build());
    }
  }

  /** Only IPFIX has fields of variable length. */
  private static int fixed(int length) throws Malformed {
    if (length == Template.VARIABLE) {
      throw new Malformed();
    }
    return length;
  }
}
