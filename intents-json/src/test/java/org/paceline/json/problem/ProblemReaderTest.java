package org.paceline.json.problem;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.json.document.Fault;
import org.paceline.json.document.Reading;

class ProblemReaderTest {
  private static final String GOOD =
      "{'name':'two','epsilon':0.3,'sameUtilityPerType':true,'nodes':['a','b'],"
          + "'links':[{'from':'a','to':'b','capacityKbps':100.5,"
          + "'usageKbps':[0,100],'delayMs':[2,2.5]}],"
          + "'utilityFunctions':{'web':{'throughputKbps':[10,20],'delayMs':[0,5,8],"
          + "'utility':[[2,1.5,1],[5,4,3.000000001]]}},"
          + "'applications':[{'id':'w','from':'a','to':'b','utilityFunction':'web','count':3,"
          + "'priority':2}],'expected':{'theta1':5},'proof':[]}";

  private static Reading<Problem> read(String json) throws IOException {
    return ProblemReader.read(new ByteArrayInputStream(json.replace('\'', '"').getBytes(UTF_8)));
  }

  private static Reading<Problem> readWith(String part, String instead) throws IOException {
    assertThat(GOOD).contains(part);
    return read(GOOD.replace(part, instead));
  }

  private static List<String> places(Reading<?> reading) {
    return reading.faults().stream().map(Fault::place).collect(Collectors.toList());
  }

  @Test
  void aGoodProblemIsReadExactly() throws IOException {
    Reading<Problem> reading = read(GOOD);
    assertThat(reading.faults()).isEmpty();
    assertThat(reading.warnings()).isEmpty();
    Problem problem = reading.orElseThrow();
    assertThat(problem.sharing()).isEqualTo(Sharing.SAME_UTILITY_PER_TYPE);
    assertThat(problem.epsilonBillionths()).isEqualTo(300_000_000L);
    assertThat(problem.size()).isEqualTo(3);
    assertThat(problem.applications()).singleElement().matches(a -> a.priority() == 2);
    assertThat(problem.applications().get(0).utilityFunction().utilityBillionths(1, 2))
        .isEqualTo(3_000_000_001L);
    assertThat(problem.network().links())
        .singleElement()
        .matches(link -> link.capacity().millibitsPerSecond() == 100_500_000L);
  }

  @Test
  void whatIsWrittenIsReadBackEqual() throws IOException {
    Problem problem = read(GOOD).orElseThrow();
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    ProblemWriter.write(problem, written);
    assertThat(ProblemReader.read(new ByteArrayInputStream(written.toByteArray())).orElseThrow())
        .isEqualTo(problem);
  }

  @Test
  void membersMayComeInAnyOrder() throws IOException {
    String tables = GOOD.substring(GOOD.indexOf("'utility"), GOOD.indexOf("'applications'"));
    String moved = GOOD.replace(tables, "").replace(",'expected'", "," + tables + "'expected'");
    assertThat(read(moved).orElseThrow()).isEqualTo(read(GOOD).orElseThrow());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'from':'a','to':'b','capacityKbps' | 'to':'b','capacityKbps' | /links/0",
        "'capacityKbps':100.5 | 'capacityKbps':-1 | /links/0/capacityKbps",
        "'capacityKbps':100.5 | 'capacityKbps':NaN | /links/0/capacityKbps",
        "'capacityKbps':100.5 | 'capacityKbps':-Infinity | /links/0/capacityKbps",
        "'capacityKbps':100.5 | 'capacityKbps':'100' | /links/0/capacityKbps",
        "'capacityKbps':100.5 | 'capacityKbps':null | /links/0/capacityKbps",
        "'capacityKbps':100.5 | 'capacityKbps':1e999999999 | /links/0/capacityKbps",
        "'capacityKbps':100.5 | 'capacityKbps':1e99999999999 | /links/0/capacityKbps",
        "'capacityKbps':100.5 | 'capacityKbps':-1e-999999999 | /links/0/capacityKbps",
        "'usageKbps':[0,100] | 'usageKbps':[0,0] | /links/0/usageKbps/1",
        "'usageKbps':[0,100] | 'usageKbps':[0] | /links/0",
        "'delayMs':[2,2.5] | 'delayMs':[2,1] | /links/0/delayMs/1",
        "'to':'b','capacityKbps' | 'to':'x','capacityKbps' | /links/0/to",
        "'to':'b','capacityKbps' | 'to':'a','capacityKbps' | /links/0",
        "'throughputKbps':[10,20] | 'throughputKbps':[20,10] "
            + "| /utilityFunctions/web/throughputKbps/1",
        "[2,1.5,1] | [2,1.5] | /utilityFunctions/web/utility/0",
        "[[2,1.5,1], | [ | /utilityFunctions/web/utility",
        "1.5 | 5.1 | /utilityFunctions/web/utility/0/1",
        "1.5 | 0.9 | /utilityFunctions/web/utility/0/1",
        "1.5 | NaN | /utilityFunctions/web/utility/0/1",
        "'id':'w', | '' :1, | /applications/0",
        "'utilityFunction':'web' | 'utilityFunction':'wab' | /applications/0/utilityFunction",
        "'to':'b','utilityFunction' | 'to':'c','utilityFunction' | /applications/0/to",
        "'to':'b','utilityFunction' | 'to':'a','utilityFunction' | /applications/0",
        "'count':3 | 'count':0 | /applications/0/count",
        "'count':3 | 'count':1.5 | /applications/0/count",
        "'count':3 | 'count':99999999999 | /applications/0/count",
        "'epsilon':0.3 | 'epsilon':4.5 | /epsilon",
        "'epsilon':0.3 | 'epsilon':-0.1 | /epsilon",
        "'epsilon':0.3 | 'epsilon':0.3,'epsilon':0.2 | /epsilon",
        "'nodes':['a','b'] | 'nodes':['a','b','a'] | /nodes/2",
        "'nodes':['a','b'] | 'nodes':['a','b',7] | /nodes/2",
        "'sameUtilityPerType':true | 'sameUtilityPerType':1 | /sameUtilityPerType",
      })
  void everyFaultIsFoundWhereItIs(String part, String instead, String place) throws IOException {
    Reading<Problem> reading = readWith(part, instead);
    assertThat(reading.value()).isEmpty();
    assertThat(places(reading)).contains(place);
  }

  @Test
  void allFaultsOfADocumentAreListedTogether() throws IOException {
    Reading<Problem> reading =
        read(
            GOOD.replace("100.5", "-1")
                .replace("1.5", "9")
                .replace("'utilityFunction':'web'", "'utilityFunction':'x'")
                .replace("'count':3", "'count':0"));
    assertThat(places(reading))
        .contains("/links/0/capacityKbps", "/utilityFunctions/web/utility/0/1")
        .contains("/applications/0/count");
  }

  @Test
  void aSecondApplicationOfTheSameIdIsAFault() throws IOException {
    String application = GOOD.substring(GOOD.indexOf("{'id'"), GOOD.indexOf("],'expected'"));
    Reading<Problem> reading = readWith(application, application + "," + application);
    assertThat(places(reading)).containsExactly("/applications/1/id");
  }

  @Test
  void aProblemWithoutApplicationsIsAFault() throws IOException {
    String application = GOOD.substring(GOOD.indexOf("{'id'"), GOOD.indexOf("],'expected'"));
    assertThat(places(readWith(application, ""))).containsExactly("/applications");
  }

  @Test
  void numbersTooSmallToMatterAreZero() throws IOException {
    assertThat(readWith("'usageKbps':[0", "'usageKbps':[1e-999999999").value()).isPresent();
  }

  @Test
  void longListsOfFaultsAreCutAndCounted() throws IOException {
    Reading<Problem> reading =
        readWith("'nodes':['a','b']", "'nodes':['a','b'" + ",'a'".repeat(80) + "]");
    assertThat(reading.faults()).hasSize(50);
    assertThat(reading.unlisted()).isEqualTo(30);
    assertThat(reading.describeFaults()).endsWith("and 30 more faults");
  }

  @Test
  void unknownMembersAreWarnedOf() throws IOException {
    Reading<Problem> reading = readWith("'priority':2", "'priority':2,'prority':[{}]");
    assertThat(reading.value()).isPresent();
    assertThat(reading.warnings())
        .singleElement()
        .matches(warning -> warning.place().equals("/applications/0/prority"))
        .asString()
        .contains("is no known member. Maybe it is misspelt");
  }

  @Test
  void aSyntaxErrorSaysLineAndColumn() throws IOException {
    Reading<Problem> reading = read("{'nodes':\n ['a',,]}");
    assertThat(reading.faults().toString()).contains("line 2, column ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "[]", "7", "nul", "{'nodes':[]} {}", "{", "\u0000\u0000\u0000"})
  void whatIsNoProblemIsRefused(String text) throws IOException {
    assertThat(read(text).faults()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"nodes\":[[", "{\"x\":[[", "\"", "1", " ", "\u0000", "[1,"})
  void aGigabyteOfRubbishIsRefusedAtBoundedMemory(String rubbish) throws IOException {
    assertThat(ProblemReader.read(new Endless(rubbish, 1L << 30)).faults()).isNotEmpty();
  }

  @Test
  void aGigabyteOfWellFormedRubbishIsRefusedAtBoundedMemory() throws IOException {
    assertThat(ProblemReader.read(new Endless("{\"nodes\":[\"a\"", ",\"b\"", 1L << 30)).faults())
        .isNotEmpty();
    assertThat(ProblemReader.read(new Endless("{\"x\":[1", ",1", 1L << 30)).faults())
        .anyMatch(fault -> fault.message().contains("256 MiB"));
  }

  @Test
  void bytesThatAreNoTextAreRefused() throws IOException {
    byte[] bytes = {'{', '"', (byte) 0xff, (byte) 0xfe, '"', ':', '1', '}'};
    assertThat(ProblemReader.read(new ByteArrayInputStream(bytes)).faults()).isNotEmpty();
  }

  /** A text, then another again and again. */
  private static final class Endless extends InputStream {
    /** As often as it goes into what a reader asks for at once, so that most of it is copied. */
    private static final int COPIED = 1 << 16;

    private final byte[] start;
    private final byte[] again;
    private final long length;
    private long at;

    Endless(String again, long length) {
      this("", again, length);
    }

    Endless(String start, String again, long length) {
      this.start = start.getBytes(UTF_8);
      this.again = again.repeat(COPIED / again.length()).getBytes(UTF_8);
      this.length = length;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] buffer, int offset, int count) {
      if (at == length) {
        return -1;
      }
      boolean atStart = at < start.length;
      byte[] from = atStart ? start : again;
      int first = (int) (atStart ? at : (at - start.length) % again.length);
      int copied = (int) Math.min(Math.min(count, from.length - first), length - at);
      System.arraycopy(from, first, buffer, offset, copied);
      at += copied;
      return copied;
    }
  }
}
