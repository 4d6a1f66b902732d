package org.paceline.yang.restconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.yang.restconf.RestconfOffice.INTENTS;
import static org.paceline.yang.restconf.RestconfOffice.LIVE;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.paceline.yang.restconf.message.Reply;

/** What RFC 8040 and HTTP ask of the headers of requests and answers. */
class HeadersTest {
  private static final String SERVED = "application/yang-data+json";
  private static final String THEN = "Mon, 02 Nov 2026 10:20:30 GMT";
  private static final String BEFORE = "Mon, 02 Nov 2026 10:20:29 GMT";
  private static final String PRIORITY =
      "{'paceline-intents:intent': [{'path': 'video-streaming/bbb_live', 'priority': 7}]}";

  private final RestconfOffice office;

  HeadersTest() throws IOException {
    office = new RestconfOffice();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "application/yang-data+json | 200 | application/yang-data+json",
        "Application/YANG-Data+JSON | 200 | application/yang-data+json",
        "application/yang-data+xml, application/*;q=0.1 | 200 | application/yang-data+json",
        "text/html, */* | 200 | application/yang-data+json",
        "'' | 200 | application/yang-data+json",
        "application/json | 200 | application/json",
        "application/json, text/plain;q=0.5 | 200 | application/json",
        "application/json, application/yang-data+json | 200 | application/yang-data+json",
        "*/*, application/yang-data+json;q=0.000 | 200 | application/json",
        "application/yang-data+xml | 406 | application/yang-data+json",
        "text/* | 406 | application/yang-data+json",
        "application/yang-data+json;q=0 | 406 | application/yang-data+json",
        "application/json;q=0 | 406 | application/yang-data+json",
        "application/*;q=0, */* | 406 | application/yang-data+json",
      })
  void whatIsServedIsWhatTheClientAccepts(String accept, int status, String type) {
    Reply reply = office.ask("GET", INTENTS, "", "Accept", accept);
    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.headers()).containsEntry("Content-Type", type);
  }

  @Test
  void aRefusalIsOfTheTypeThatTheClientAcceptsAndWhatHasNoBodyIsOfNone() {
    Reply refused = office.ask("GET", LIVE + "x", "", "Accept", "application/json");
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.headers()).containsEntry("Content-Type", "application/json");
    assertThat(office.ask("PATCH", LIVE, PRIORITY).headers()).doesNotContainKey("Content-Type");
  }

  @ParameterizedTest
  @CsvSource({
    "application/yang-data+json; charset=utf-8,204",
    "APPLICATION/yang-data+json,204",
    "application/yang-data+xml,415",
    "application/json,415",
    "application/yang-patch+json,415",
    "'',415",
  })
  void aBodyIsOfTheTypeThatItSays(String type, int status) {
    assertThat(office.ask("PATCH", LIVE, PRIORITY, "content-type", type).status())
        .isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "data | GET, HEAD, OPTIONS, POST, PUT, PATCH",
        "data/paceline-intents:intents | GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE",
        "data/paceline-conversations:conversations | GET, HEAD, OPTIONS",
        "operations/paceline-policy:confirm | POST, OPTIONS",
        "operations | GET, HEAD, OPTIONS",
        "yang-library-version | GET, HEAD, OPTIONS",
      })
  void aResourceSaysWhichMethodsItHasAndRefusesTheOthersSo(String path, String allow) {
    assertThat(office.ask("OPTIONS", path, "").headers()).containsEntry("Allow", allow);
    for (String method : new String[] {"GET", "POST", "PUT", "PATCH", "DELETE", "BREW"}) {
      if (!allow.contains(method)) {
        Reply refused = office.ask(method, path, "{}");
        assertThat(refused.status()).as(method).isEqualTo(405);
        assertThat(refused.headers()).containsEntry("Allow", allow);
      }
    }
    assertThat(office.ask("OPTIONS", path, "").headers().get("Accept-Patch"))
        .isEqualTo(allow.contains("PATCH") ? SERVED : null);
  }

  @Test
  void theConfigurationSaysWhenItWasChangedAndIsNotSentAgainToWhoKnowsIt() {
    Reply read = office.ask("GET", INTENTS, "");
    assertThat(read.headers()).containsEntry("Last-Modified", THEN).containsKey("ETag");
    assertThat(read.headers()).containsEntry("Cache-Control", "no-cache");
    assertThat(status("GET", INTENTS, "If-Modified-Since", THEN)).isEqualTo(304);
    assertThat(status("GET", INTENTS, "If-Modified-Since", BEFORE)).isEqualTo(200);
    assertThat(status("GET", INTENTS, "If-None-Match", RestconfOffice.tag(read))).isEqualTo(304);
    // The tag goes before the time, and a time that is none says nothing.
    String[] both = {"If-None-Match", "\"other\"", "If-Modified-Since", THEN};
    assertThat(status("GET", INTENTS, both)).isEqualTo(200);
    assertThat(status("GET", INTENTS, "If-Modified-Since", "yesterday")).isEqualTo(200);
    assertThat(status("GET", LIVE + "x", "If-None-Match", "*")).isEqualTo(404);
  }

  @Test
  void whatStandsBesideTheConfigurationIsReadHoweverOldTheConfiguration() {
    assertThat(status("GET", "data", "If-None-Match", "*")).isEqualTo(200);
    assertThat(status("GET", "data?content=config", "If-None-Match", "*")).isEqualTo(304);
    assertThat(office.ask("GET", "data/paceline-conversations:conversations", "").headers())
        .doesNotContainKeys("ETag", "Last-Modified");
  }

  @Test
  void aChangeIsRefusedToWhoKnowsAnOlderConfiguration() {
    assertThat(patch("If-Unmodified-Since", BEFORE)).isEqualTo(412);
    assertThat(patch("If-Unmodified-Since", THEN)).isEqualTo(204);
    assertThat(patch("If-Unmodified-Since", "yesterday")).isEqualTo(204);
    assertThat(patch("If-Match", "*", "If-Unmodified-Since", BEFORE)).isEqualTo(204);
  }

  @Test
  void noResourceTakesAQueryParameterThatItDoesNotKnow() {
    for (String path : new String[] {"", "data", "operations", "yang-library-version"}) {
      assertThat(status("GET", path + "?deepth=1")).as(path).isEqualTo(400);
      assertThat(status("GET", path + "?depth=1")).as(path).isEqualTo(200);
    }
  }

  private int status(String method, String path, String... headers) {
    return office.ask(method, path, "", headers).status();
  }

  private int patch(String... headers) {
    return office.ask("PATCH", LIVE, PRIORITY, headers).status();
  }
}
