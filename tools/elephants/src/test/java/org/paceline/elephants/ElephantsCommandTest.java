package org.paceline.elephants;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

final class ElephantsCommandTest extends ElephantsProcess {
  private static final String HEADER = "start,end,source,destination,bytes";
  private static final String[] THREE_DAYS = {
    HEADER,
    "2026-03-02T10:00:00Z,2026-03-02T10:00:30.500Z,10.0.0.1,10.0.1.1,2000000000",
    "2026-03-03T10:00:00Z,2026-03-03T10:00:30Z,10.0.0.2,10.0.1.1,2000000000",
    "2026-03-04T10:00:00Z,2026-03-04T10:00:30Z,10.0.0.1,10.0.1.1,2000000000",
    "2026-03-04T10:00:00Z,2026-03-04T10:00:30Z,10.0.0.1,10.0.1.1,5",
    "2026-03-04T11:00:00Z,2026-03-04T11:00:30Z,10.0.0.9,10.0.9.9,1000"
  };

  @Test
  void saysWhatListsOfEachDayWouldHaveMatched() throws Exception {
    Ran ran = elephants(file("records.csv", THREE_DAYS).toString());
    assertThat(ran.status()).as(ran.messages()).isZero();
    assertThat(ran.out())
        .contains("5 records of 6.00 GB", "3 alpha flows of 6.00 GB")
        .containsPattern("2026-03-02 +1 +2.00 GB +0 pairs +0.0 % +0 pairs +0.0 %")
        .containsPattern("2026-03-03 +1 +2.00 GB +1 pairs +100.0 % +1 pairs +0.0 %")
        .containsPattern("2026-03-04 +1 +2.00 GB +1 pairs +100.0 % +2 pairs +100.0 %")
        .containsPattern("all +3 +6.00 GB +66.7 % +33.3 %")
        .containsPattern("10.0.0.0/24 +10.0.1.0/24 +6.00 GB +2026-03-04");
    assertThat(ran.lastMessage())
        .contains("3 alpha flows, a list of 1 pairs", "66.7 % of alpha bytes by /24 and /48");
  }

  @Test
  void writesTheListAndAllResultsForPrograms() throws Exception {
    Path csv = folder.resolve("list.csv");
    Ran ran =
        elephants(
            "--prefix",
            "32",
            "--csv",
            csv.toString(),
            "--json",
            "-",
            file("records.csv", THREE_DAYS).toString());
    assertThat(ran.status()).as(ran.messages()).isZero();
    assertThat(Files.readAllLines(csv))
        .containsExactly(
            "source,destination,alphaBytes,lastSeen",
            "10.0.0.1/32,10.0.1.1/32,4000000005,2026-03-04",
            "10.0.0.2/32,10.0.1.1/32,2000000000,2026-03-03");
    Map<String, Integer> members = new TreeMap<>();
    try (JsonParser json = new JsonFactory().createParser(ran.out())) {
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.FIELD_NAME) {
          members.merge(json.currentName(), 1, Integer::sum);
        }
      }
    }
    assertThat(members)
        .containsKeys("records", "alpha", "alphaFlows", "effectiveness", "list", "pairs")
        // For both lengths, three days and all of them.
        .containsEntry("matchedBytes", 2 * 4)
        .containsEntry("lastSeen", 2);
  }

  @Test
  void theListIsWrittenAsTheControllerTakesIt() throws Exception {
    Ran ran =
        elephants("--pairs", "-", "--prefix", "32", file("records.csv", THREE_DAYS).toString());
    assertThat(ran.status()).as(ran.messages()).isZero();
    assertThat(ran.out()).isEqualTo("10.0.0.1/32>10.0.1.1/32,10.0.0.2/32>10.0.1.1/32\n");
  }

  @Test
  void drawsWhatListsOfEachDayWouldHaveMatched() throws Exception {
    Path figure = folder.resolve("days.svg");
    Ran ran = elephants("--figure", figure.toString(), file("records.csv", THREE_DAYS).toString());
    assertThat(ran.status()).as(ran.messages()).isZero();
    assertThat(ran.out()).as("the tables are still there").contains("3 alpha flows of 6.00 GB");
    String svg = Files.readString(figure);
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
    assertThat(svg)
        // The first day, the middle and the last; nothing of a day's bytes, and all of them.
        .contains("points=\"56.0,270.0 340.0,36.0 624.0,36.0\"")
        .contains("points=\"56.0,270.0 340.0,270.0 624.0,36.0\"")
        .contains("<title>2026-03-03: 100.0 %</title>", ">03-04</text>")
        .contains("/24 and /48, 66.7 % over all days", "/32 and /128, 33.3 % over all days");
  }

  @Test
  void aFigureOfOneDayStandsInItsMiddleAndOneOfNoneIsRefused() throws Exception {
    Path file = file("records.csv", HEADER, THREE_DAYS[1]);
    assertThat(elephants("--figure", "-", file.toString()).out())
        .startsWith("<svg ")
        .contains("points=\"340.0,270.0\"");
    Ran none = elephants("--figure", "-", "--bytes", "9G", file.toString());
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.messages()).contains("no flow was an alpha flow");
  }

  @Test
  void readsWhatNfdumpWritesAndWhatGzipPacks() throws Exception {
    String text =
        "ts,te,td,sa,da,sp,dp,pr,flg,fwd,stos,ipkt,ibyt\n"
            + "2026-03-02 10:00:00,2026-03-02 10:00:30,30.0,2001:db8::1,2001:db8:1::1,5,6,TCP,"
            + "...AP...,0,0,2000000,3000000000\n"
            + "Summary\nflows,bytes\n1,3000000000\n";
    Path file = folder.resolve("records.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    Ran ran = elephants(file.toString());
    assertThat(ran.status()).as(ran.messages()).isZero();
    assertThat(ran.out())
        .contains("1 records of 3.00 GB")
        .containsPattern("2001:db8::/48 +2001:db8:1::/48 +3.00 GB");
  }

  @Test
  void secondsAndSamplingCountAndDaysBeginWhereTheUserIs() throws Exception {
    // 2026-03-02T23:30:00Z is the third of March in Berlin; one of ten packets was looked at.
    Path file =
        file(
            "records.csv",
            "bytes,destination,source,end,start,sampling,color",
            "200000000,10.0.1.1,10.0.0.1,1772494230.5,1772494200,10,red");
    Ran ran = elephants("--zone", "Europe/Berlin", file.toString());
    assertThat(ran.status()).as(ran.messages()).isZero();
    assertThat(ran.out())
        .contains("1 records of 2.00 GB")
        .containsPattern("2026-03-03 +1 +2.00 GB");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-03-02T10:00:00Z,2026-03-02T10:00:30Z,10.0.0.1,10.0.1.1|line 2 has 4 fields",
        "2026-13-02T10:00:00Z,2026-03-02T10:00:30Z,10.0.0.1,10.0.1.1,5|2026-03-02T08:00:00.250Z",
        "2026-02-30T10:00:00Z,2026-03-02T10:00:30Z,10.0.0.1,10.0.1.1,5|(2026-02-30T10:00:00Z)",
        "1.2.3,2,10.0.0.1,10.0.1.1,5|(1.2.3)",
        "1,2,10.0.0.300,10.0.1.1,5|(10.0.0.300) for an address",
        "1,2,10.0.0.,10.0.1.1,5|(10.0.0.) for an address",
        "1,2,host,10.0.1.1,5|(host) for an address",
        "1,2,10.0.0.1,fd00::1,5|mixes IPv4 and IPv6",
        "1,2,10.0.0.1,10.0.1.1,-5|(-5) where a whole number",
        "1,2,10.0.0.1,10.0.1.1,5000000000000000000|where a whole number",
        "2,1,10.0.0.1,10.0.1.1,5|before it starts"
      })
  void refusesLinesThatAreNoRecords(String line, String reason) throws Exception {
    Ran ran = elephants(file("records.csv", HEADER, line).toString());
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.messages()).contains("records.csv: line 2 ").contains(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--bytes many|(many) are no size. Maybe 1G",
        "--bytes 0|(0) must be at least 1",
        "--interval 0|(0 s) must lie above 0",
        "--prefix 20|(20) are not known. Maybe 24, 32, or 20,44",
        "--prefix 33,48|IPv4 (33)",
        "--ageing 0|(0 days)",
        "--most 0|at most 0 pairs",
        "--zone Mars|no time zone (Mars)",
        "--listen 99999|(99999). Maybe 2055",
        "--listen host:2055|(host:2055)",
        "--for 5|Maybe add --listen",
        "--listen 0 --from host --for 1|The address (host)"
      })
  void refusesOptionsThatMakeNoSense(String options, String reason) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(options.split(" ")));
    arguments.add(file("records.csv", THREE_DAYS).toString());
    Ran ran = elephants(arguments.toArray(String[]::new));
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.messages()).contains(reason);
  }

  @Test
  void refusesWhatIsNoFileOfFlowRecords() throws Exception {
    assertThat(elephants().messages()).contains("nothing to analyse");
    assertThat(elephants("missing.csv").messages()).contains("there is no file missing.csv");
    assertThat(elephants(folder.toString()).messages()).contains("is a directory");
    assertThat(elephants(file("words.csv", "one,two").toString()).messages())
        .contains("(one), is no header of flow records", "nfdump -r FILE -o csv");
    assertThat(elephants(file("empty.csv").toString()).messages()).contains("is empty");
    Path broken = Files.write(folder.resolve("nfcapd"), new byte[] {0x0c, (byte) 0xa5, 0, 0});
    Ran ran = elephants(broken.toString());
    assertThat(ran.status()).isEqualTo(2);
    // Whether it is installed here or not.
    assertThat(ran.messages()).contains("nfdump");
  }

  @Test
  void listensUntilItIsInterruptedAndStillReports() throws Exception {
    Process process = command("--listen", "127.0.0.1:0").start();
    try (BufferedReader messages = messages(process)) {
      String listening = messages.readLine();
      assertThat(listening).contains("listening at UDP port ");
      int port = Integer.parseInt(listening.replaceAll(".*port (\\d+),.*", "$1"));
      byte[] datagram = netFlow5();
      try (DatagramSocket socket = new DatagramSocket()) {
        socket.send(
            new DatagramPacket(
                datagram,
                datagram.length,
                new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port)));
      }
      // What it makes of it shows only at the end; what it has taken it makes something of.
      Thread.sleep(1_000);
      while (isWaiting(port)) {
        Thread.sleep(10);
      }
      // Its own destroy() closes what it writes, too.
      process.toHandle().destroy();
      String counted = messages.readLine();
      assertThat(counted).contains("1 datagrams with 1 records").contains("0 records and 0");
      assertThat(messages.readLine()).contains("1 alpha flows, a list of 1 pairs");
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(out).containsPattern("10.0.0.0/24 +10.0.1.0/24 +3.00 GB");
    process.waitFor();
  }

  /** Whether a datagram to this UDP port lies there that nobody has taken, as Linux says. */
  private static boolean isWaiting(int port) throws IOException {
    String local = String.format(":%04X", port);
    for (String table : List.of("/proc/net/udp", "/proc/net/udp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] words = line.trim().split(" +");
        if (words[1].endsWith(local) && !words[4].endsWith(":00000000")) {
          return true;
        }
      }
    }
    return false;
  }

  /** One record of three gigabytes within a second. */
  private static byte[] netFlow5() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(24 + 48);
    bytes.putShort((short) 5).putShort((short) 1).putInt(10_000).putInt(1_772_438_400);
    bytes.putInt(0).putInt(0).putInt(0);
    bytes.put(InetAddress.getByName("10.0.0.1").getAddress());
    bytes.put(InetAddress.getByName("10.0.1.1").getAddress());
    bytes.putLong(0).putInt(10).putInt((int) 3_000_000_000L).putInt(8_000).putInt(9_000);
    return bytes.array();
  }
}
