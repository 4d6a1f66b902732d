package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.control.audit.Change;
import org.paceline.control.port.Records;
import org.paceline.northbound.rest.view.Json;

/** On a link of 2 Mbit/s. */
final class ReservationsRestTest {
  private static final String EVENING =
      "{\"intent\":\"file-download\",\"from\":\"10.0.0.1\",\"to\":\"10.0.0.2\",\"rateKbps\":1500,"
          + "\"start\":\"START\",\"durationSeconds\":3600}";
  private static final String AT_20 = "2031-12-01T20:00:00Z";

  @RegisterExtension final SmallPaceline paceline = new SmallPaceline();
  private final RestClient rest = new RestClient(paceline);

  private static String requested(String start, String more) {
    String requested = EVENING.replace("START", start);
    return requested.substring(0, requested.length() - 1) + more + "}";
  }

  @Test
  void whoAsksHoldsNothing() {
    assertThat(isAdmitted(requested(AT_20, ""))).isTrue();
    assertThat(rest.get("reservations").json().path("reservations")).isEmpty();
    assertThat(paceline.log()).isEmpty();
  }

  @Test
  void aReservationIsHeldCommittedSeenInTheCalendarAndGivenBack() {
    RestClient.Answer held = rest.send("POST", "reservations", requested(AT_20, ""));
    assertThat(held.status).as(held.text).isEqualTo(201);
    assertThat(held.json().path("state").asText()).isEqualTo("held");
    assertThat(held.json().has("heldUntil")).isTrue();
    String one = "reservations/" + held.json().path("id").asText();
    assertThat(rest.send("POST", one + "/commit", "{}").json().path("state").asText())
        .isEqualTo("committed");
    JsonNode period = rest.get("reservations/calendar").json().path("periods").path(0);
    assertThat(period.path("from").asText()).isEqualTo(AT_20);
    assertThat(period.path("until").asText()).isEqualTo("2031-12-01T21:00:00Z");
    assertThat(period.path("rateKbps").asInt()).isEqualTo(1_500);
    assertThat(rest.get("reservations?intent=file-download").json().path("reservations"))
        .hasSize(1);
    assertThat(rest.get("reservations?intent=voip").json().path("reservations")).isEmpty();
    assertThat(rest.send("DELETE", one, "").status).isEqualTo(204);
    assertThat(rest.send("DELETE", one, "").status).isEqualTo(404);
    assertThat(rest.send("POST", one + "/commit", "{}").status).isEqualTo(404);
    assertThat(rest.get(one).status).isEqualTo(404);
    assertThat(paceline.log())
        .extracting(Change::operation)
        .containsExactly(
            "The reservation (r000001) is given back.",
            "The reservation (r000001) is committed.",
            "A reservation is asked for.");
  }

  @Test
  void whatHasNoRoomIsRefusedWithAnOfferThatIsThenAdmitted() {
    String firm = ",\"commit\":true";
    assertThat(rest.send("POST", "reservations", requested(AT_20, firm)).status).isEqualTo(201);
    String later = ",\"deadline\":\"2031-12-02T06:00:00Z\"";
    RestClient.Answer refused = rest.send("POST", "reservations", requested(AT_20, later));
    assertThat(refused.status).as(refused.text).isEqualTo(409);
    assertThat(refused.json().path("reason").asText(refused.text))
        .contains("the link (")
        .doesNotContainIgnoringCase("wish", "those like")
        .doesNotContainPattern("[0-9]{9}");
    assertThat(isAdmitted(requested(AT_20, later))).isFalse();
    String offered = refused.json().path("counterOffer").path("start").asText();
    assertThat(offered).isEqualTo("2031-12-01T21:00:00Z");
    assertThat(rest.send("POST", "reservations", requested(offered, firm)).status).isEqualTo(201);
    assertThat(rest.get("reservations/calendar").json().path("periods")).hasSize(2);
  }

  @Test
  void bytesAreReservedByADeadlineOrRefusedWithTheEarliestThatCanBeMet() {
    // 128 Mbit and a tenth on top, in 990 s of 1000.
    String transfer = transfer(16_000_000, "2031-12-01T20:16:40Z");
    JsonNode held = rest.send("POST", "reservations", transfer).json();
    assertThat(held.path("bytes").asLong()).isEqualTo(16_000_000);
    assertThat(held.path("sentBytes").asLong(-1)).isZero();
    assertThat(held.path("rateKbps").asInt()).isEqualTo(142);
    assertThat(held.path("end").asText()).isEqualTo("2031-12-01T20:16:40Z");
    assertThat(rest.send("POST", "reservations/ask", transfer).json().path("admitted").asBoolean())
        .isTrue();
    String tooSoon = transfer(16_000_000, "2031-12-01T20:00:40Z");
    RestClient.Answer refused = rest.send("POST", "reservations", tooSoon);
    assertThat(refused.status).as(refused.text).isEqualTo(409);
    String earliest = refused.json().path("counterOffer").path("end").asText();
    assertThat(earliest).isGreaterThan("2031-12-01T20:00:40Z");
    assertThat(refused.text).contains("The earliest deadline that can be met is (" + earliest);
    assertThat(rest.send("POST", "reservations", transfer(16_000_000, earliest)).status)
        .isEqualTo(201);
  }

  private static String transfer(long bytes, String deadline) {
    return "{\"intent\":\"file-download\",\"from\":\"10.0.0.1\",\"to\":\"10.0.0.2\",\"bytes\":"
        + bytes
        + ",\"start\":\""
        + AT_20
        + "\",\"deadline\":\""
        + deadline
        + "\"}";
  }

  @Test
  void anAdaptiveOneIsForIntentsWhoseSchemeLendsWhatIsReserved() {
    String adaptive = requested(AT_20, ",\"adaptive\":true").replace("1500", "500");
    RestClient.Answer refused = rest.send("POST", "reservations", adaptive);
    assertThat(refused.status).isEqualTo(409);
    assertThat(refused.text).contains("ruled by utility-fair, which lends nothing");
    assertThat(rest.send("POST", "reservations", adaptive.replace("true", "1")).text)
        .contains("The adaptive (1) must be true or false.");
    assertThat(
            rest.send("PATCH", "intents/file-download", "{\"scheme\":\"adaptive-reservations\"}")
                .status)
        .isEqualTo(200);
    JsonNode held = rest.send("POST", "reservations", adaptive).json();
    assertThat(held.path("adaptive").asBoolean()).isTrue();
  }

  @Test
  void aCircuitForElephantsIsBookedWithinTheirShare() {
    assertThat(
            rest.send("PATCH", "intents/file-download", "{\"scheme\":\"elephant-isolation\"}")
                .status)
        .isEqualTo(200);
    RestClient.Answer refused = rest.send("POST", "reservations", requested(AT_20, ""));
    assertThat(refused.status).isEqualTo(409);
    assertThat(refused.text).contains("90 thousandths", "elephantThousandths");
    int most = refused.json().path("counterOffer").path("rateKbps").asInt();
    assertThat(most).isPositive();
    String less = requested(AT_20, "").replace("1500", Integer.toString(most));
    assertThat(rest.send("POST", "reservations", less).status).isEqualTo(201);
  }

  @Test
  void aCircuitMayNameAPrefixAndIsToldWhyItIsNone() {
    String ofPrefix = requested(AT_20, "").replace("1500", "50").replace("10.0.0.2", "10.0.0.2/31");
    RestClient.Answer refused = rest.send("POST", "reservations", ofPrefix);
    assertThat(refused.status).isEqualTo(409);
    assertThat(refused.text).contains("(10.0.0.2/31)", "ruled by utility-fair");
    rest.send("PATCH", "intents/file-download", "{\"scheme\":\"elephant-isolation\"}");
    RestClient.Answer bad =
        rest.send("POST", "reservations", ofPrefix.replace("10.0.0.2/31", "10.0.0.2/24"));
    assertThat(bad.status).isEqualTo(400);
    assertThat(bad.text).contains("(10.0.0.2/24) has bits behind its length");
    assertThat(
            rest.send("POST", "reservations", ofPrefix.replace("10.0.0.2/31", "10.0.9.0/24")).text)
        .contains("No host of (10.0.9.0/24) is known");
    refused = rest.send("POST", "reservations", ofPrefix);
    assertThat(refused.status).isEqualTo(409);
    assertThat(refused.text).contains("It stays within the switch (s1)");
    RestClient.Answer held =
        rest.send("POST", "reservations", ofPrefix.replace("10.0.0.2/31", "10.0.0.2/32"));
    assertThat(held.status).isEqualTo(201);
    assertThat(held.json().path("to").asText()).isEqualTo("10.0.0.2");
  }

  @Test
  void aTransferThatSaysTooLittleOrTooMuchIsRefused() {
    String good = transfer(16_000_000, "2031-12-01T20:16:40Z");
    for (String bad :
        List.of(
            good.replace("16000000", "0"),
            good.replace("16000000", "1.5"),
            good.replace("16000000", "1000000000000001"),
            good.replace("20:16:40Z", "19:16:40Z"),
            good.replace("\"deadline\"", "\"conversations\""),
            good.replace("}", ",\"rateKbps\":5}"),
            good.replace("}", ",\"durationSeconds\":5}"))) {
      RestClient.Answer refused = rest.send("POST", "reservations", bad);
      assertThat(refused.status).as(bad).isEqualTo(400);
      assertThat(refused.text).as(bad).isNotEmpty();
    }
    String without = good.replaceAll(",\"deadline\".*", "}");
    assertThat(rest.send("POST", "reservations", without).text).contains("deadline", "is lacking");
  }

  @Test
  void aBoostIsForAConversationBeginsAtOnceAndSaysWhenItEnds() throws InterruptedException {
    paceline.talk("copy", "file-download/emailattach");
    paceline.settle();
    String boost = "{\"conversation\":\"h1/copy\",\"rateKbps\":700.5,\"durationSeconds\":600}";
    RestClient.Answer given = rest.send("POST", "reservations/boost", boost);
    assertThat(given.status).as(given.text).isEqualTo(201);
    assertThat(given.json().path("state").asText()).isEqualTo("active");
    assertThat(given.json().path("intent").asText()).isEqualTo("file-download/emailattach");
    assertThat(given.json().path("rateKbps").asDouble()).isEqualTo(700.5);
    assertThat(given.json().path("end")).isEqualTo(given.json().path("deadline"));
    assertThat(rest.send("POST", "reservations/boost", boost.replace("copy", "none")).status)
        .isEqualTo(404);
    assertThat(rest.send("POST", "reservations/boost", boost.replace("h1/", "")).status)
        .isEqualTo(400);
  }

  @Test
  void whatItsConversationsCannotUseIsRefusedWithWhatTheyCan() throws InterruptedException {
    String calls =
        requested(AT_20, "").replace("file-download", "voip/g729.1").replace("1500", "600");
    RestClient.Answer refused = rest.send("POST", "reservations", calls);
    assertThat(refused.status).as(refused.text).isEqualTo(409);
    assertThat(refused.text).contains("(voip/g729.1) can use 500 kbit/s at most each");
    assertThat(refused.json().path("counterOffer").path("rateKbps").asInt()).isEqualTo(500);
    JsonNode asked = rest.send("POST", "reservations/ask", calls).json();
    assertThat(asked.path("counterOffer").path("rateKbps").asInt()).isEqualTo(500);
    paceline.talk("call", "voip/g729.1");
    paceline.settle();
    String boost = "{\"conversation\":\"h1/call\",\"rateKbps\":600,\"durationSeconds\":600}";
    assertThat(rest.send("POST", "reservations/boost", boost).status).isEqualTo(409);
    assertThat(rest.get("reservations").json().path("reservations")).isEmpty();
    // Two may come.
    String two = calls.replace("}", ",\"conversations\":2}");
    JsonNode held = rest.send("POST", "reservations", two).json();
    assertThat(held.path("conversations").asInt()).isEqualTo(2);
    String one = "reservations/" + held.path("id").asText();
    assertThat(rest.get(one).json().has("usableKbps")).isFalse();
    assertThat(rest.send("PUT", "intents/voip/g729.1", "{\"maximumRateKbps\":200}").status / 100)
        .isEqualTo(2);
    double usable = rest.get(one).json().path("usableKbps").asDouble();
    assertThat(usable).isBetween(200.0, 400.0);
    assertThat(rest.get("reservations").json().path("reservations").path(0).path("usableKbps"))
        .isEqualTo(rest.get(one).json().path("usableKbps"));
  }

  @Test
  void aReservationThatIsSentAgainIsMadeOnce() {
    Map<String, String> key = Map.of("Idempotency-Key", "k1", "Change-Ticket", "CHG0030002");
    String first = send(requested(AT_20, ""), key).text;
    assertThat(send(requested(AT_20, ""), key).text).isEqualTo(first);
    assertThat(rest.get("reservations").json().path("reservations")).hasSize(1);
    assertThat(rest.get("changes?ticket=CHG0030002").json().path("changes")).hasSize(1);
  }

  @Test
  void aReservationWhoseAnswerACrashLostIsMadeOnce() {
    Map<String, String> key = Map.of("Idempotency-Key", "k1");
    String first = send(requested(AT_20, ""), key).text;
    Records<String> answers = paceline.requests().answers();
    for (String name : answers.keys()) {
      ObjectNode begun = (ObjectNode) Json.parse(answers.find(name).orElseThrow());
      answers.replace(name, begun.without(Set.of("status", "type", "body")).toString());
    }
    assertThat(send(requested(AT_20, ""), key).text).isEqualTo(first);
    assertThat(rest.get("reservations").json().path("reservations")).hasSize(1);
  }

  @Test
  void whatIsNoWishIsRefusedAndNothingIsHeldOrLogged() {
    String good = requested(AT_20, "");
    for (String bad :
        new String[] {
          "",
          good.replace("1500", "0"),
          good.replace("1500", "-1"),
          good.replace("1500", "1e400"),
          good.replace("1500", "1e30"),
          good.replace("1500", "\"1500\""),
          good.replace("10.0.0.1", "h1"),
          good.replace("3600", "0"),
          good.replace("3600", "4294967296"),
          good.replace(AT_20, "tomorrow"),
          good.replace(AT_20, "+99999-12-01T20:00:00Z"),
          good.replace("file-download", "nothing/such"),
          requested(AT_20, ",\"commit\":\"yes\""),
          requested(AT_20, ",\"deadline\":\"2031-12-01T20:30:00Z\""),
          requested(AT_20, ",\"conversations\":0"),
          requested(AT_20, ",\"conversations\":100001"),
          requested(AT_20, ",\"x\":1"),
        }) {
      assertThat(rest.send("POST", "reservations", bad).status).as(bad).isEqualTo(400);
    }
    // A hundred years ahead, and in the past.
    for (String never : new String[] {"2131-12-01T20:00:00Z", "2021-12-01T20:00:00Z"}) {
      assertThat(isAdmitted(requested(never, ""))).isFalse();
    }
    assertThat(rest.get("reservations").json().path("reservations")).isEmpty();
    assertThat(paceline.log()).isEmpty();
  }

  private boolean isAdmitted(String requested) {
    JsonNode answer = rest.send("POST", "reservations/ask", requested).json();
    assertThat(answer.has("refusal")).isNotEqualTo(answer.path("admitted").asBoolean());
    return answer.path("admitted").asBoolean();
  }

  private RestClient.Answer send(String body, Map<String, String> headers) {
    return rest.send("POST", "reservations", body, Set.of("admin"), headers);
  }
}
