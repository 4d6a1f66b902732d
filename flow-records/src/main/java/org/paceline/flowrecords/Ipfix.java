package org.paceline.flowrecords;

import org.paceline.intents.address.IpAddress;

/** IPFIX, RFC 7011. */
final class Ipfix {
  static final int VERSION = 10;

  private static final int TEMPLATES = 2;
  private static final int OPTIONS_TEMPLATES = 3;
  private static final int SET_HEADER = 4;
  private static final int MESSAGE_HEADER = 16;
  private static final int ENTERPRISE = 0x8000;

  private final Exporters exporters;
  private final Tally tally;
  private final DataSets dataSets;

  Ipfix(Exporters exporters, Tally tally, DataSets dataSets) {
    this.exporters = exporters;
    this.tally = tally;
    this.dataSets = dataSets;
  }

  /** Reads what follows the version. */
  void decode(IpAddress address, Bytes datagram) throws Malformed {
    int length = datagram.unsignedShort();
    long seconds = datagram.unsignedInt();
    long sequence = datagram.unsignedInt();
    Exporter exporter = exporters.get(address, VERSION, datagram.unsignedInt());
    Bytes message = datagram.part(length - MESSAGE_HEADER);
    ExportClock clock = ExportClock.of(seconds * 1_000);
    long records = 0;
    boolean isKnown = false;
    try {
      while (message.remaining() >= SET_HEADER) {
        int read = set(message, exporter, clock);
        records = read < 0 || records < 0 ? DataSets.UNKNOWN : records + read;
      }
      isKnown = records >= 0;
    } finally {
      tally.lostRecords(
          isKnown
              ? exporter.sequence.took(sequence, records)
              : exporter.sequence.tookUnknown(sequence));
    }
    if (datagram.remaining() > 0) {
      throw new Malformed();
    }
  }

  private int set(Bytes message, Exporter exporter, ExportClock clock) throws Malformed {
    int id = message.unsignedShort();
    Bytes set = message.part(message.unsignedShort() - SET_HEADER);
    if (id == TEMPLATES || id == OPTIONS_TEMPLATES) {
      templates(set, exporter, id);
    } else if (id >= DataSets.FIRST) {
      return dataSets.read(id, set, exporter, clock);
    }
    return 0;
  }

  private static void templates(Bytes set, Exporter exporter, int kind) throws Malformed {
    boolean isOptions = kind == OPTIONS_TEMPLATES;
    while (set.remaining() >= SET_HEADER) {
      int id = set.unsignedShort();
      int fields = set.unsignedShort();
      if (fields == 0 && id == kind) {
        exporter.withdrawAll(isOptions);
      } else if (fields == 0 && id >= DataSets.FIRST) {
        exporter.withdraw(id);
      } else if (id < DataSets.FIRST) {
        // Padding, or nonsense.
        return;
      } else {
        if (isOptions) {
          // How many of the fields are scopes, which are elements as all others.
          set.skip(2);
        }
        Template.Builder template = new Template.Builder(isOptions);
        for (int i = 0; i < fields; i++) {
          field(set, template);
        }
        exporter.define(id, template.build());
      }
    }
  }

  private static void field(Bytes set, Template.Builder template) throws Malformed {
    int element = set.unsignedShort();
    int length = set.unsignedShort();
    if ((element & ENTERPRISE) == 0) {
      template.add(Element.of(element), length);
    } else {
      set.skip(4);
      template.add(Element.OTHER, length);
    }
  }
}
