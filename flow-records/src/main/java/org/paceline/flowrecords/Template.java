package org.paceline.flowrecords;

import java.util.ArrayList;
import java.util.List;

/** How the records of one kind are laid out. */
final class Template {
  /** Longer ones are refused: no exporter has so many, and memory is bounded by it. */
  static final int MOST_FIELDS = 128;

  /** In IPFIX, a field that says its length in each record. */
  static final int VARIABLE = 0xffff;

  private final boolean isOptions;
  private final Element[] elements;
  private final int[] lengths;
  private final int shortest;

  private Template(boolean isOptions, Element[] elements, int[] lengths, int shortest) {
    this.isOptions = isOptions;
    this.elements = elements;
    this.lengths = lengths;
    this.shortest = shortest;
  }

  /** Gathers the fields of a template. */
  static final class Builder {
    private final boolean isOptions;
    private final List<Element> elements = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private int shortest;

    Builder(boolean isOptions) {
      this.isOptions = isOptions;
    }

    void add(Element element, int length) throws Malformed {
      if (elements.size() == MOST_FIELDS) {
        throw new Malformed();
      }
      elements.add(element);
      lengths.add(length);
      shortest += length == VARIABLE ? 1 : length;
    }

    Template build() throws Malformed {
      if (shortest == 0) {
        // A set would hold any number of its records.
        throw new Malformed();
      }
      return new Template(
          isOptions,
          elements.toArray(Element[]::new),
          lengths.stream().mapToInt(length -> length).toArray(),
          shortest);
    }
  }

  /** Whether its records tell of the exporter, and not of flows. */
  boolean isOptions() {
    return isOptions;
  }

  /** No record is shorter; what is left of a set beyond its last record is padding. */
  int shortest() {
    return shortest;
  }

  /** Reads one record. */
  void read(Bytes from, FieldValues into) throws Malformed {
    into.clear();
    for (int field = 0; field < elements.length; field++) {
      int length = lengths[field];
      if (length == VARIABLE) {
        length = from.unsignedByte();
        // RFC 7011, section 7.
        length = length == 255 ? from.unsignedShort() : length;
      }
      into.take(elements[field], from, length);
    }
  }
}
