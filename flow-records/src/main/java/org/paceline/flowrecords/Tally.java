package org.paceline.flowrecords;

/** The counts while they grow. */
final class Tally {
  long datagrams;
  long records;
  long malformed;
  long unknownTemplates;
  long incomplete;
  long lostRecords;
  long lostDatagrams;

  /** What comes late after all is lost no more. */
  void lostRecords(long more) {
    lostRecords = Math.max(0, lostRecords + more);
  }

  void lostDatagrams(long more) {
    lostDatagrams = Math.max(0, lostDatagrams + more);
  }

  DecodeCounts counts() {
    return DecodeCounts.builder()
        .datagrams(datagrams)
        .records(records)
        .malformed(malformed)
        .unknownTemplates(unknownTemplates)
        .incomplete(incomplete)
        .lostRecords(lostRecords)
        .lostDatagrams(lostDatagrams)
        .build();
  }
}
