package org.paceline.northbound.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.servlet.ServletException;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

final class OriginsTest {
  private static final int PASSED = 200;
  private static final String HOST = "Host";
  private static final String ORIGIN = "Origin";
  private static final String SITE = "Sec-Fetch-Site";
  private static final List<String> UNSAFE = List.of("POST", "PUT", "PATCH", "DELETE");

  private String servlet = "";
  private boolean secure;
  private String said = "";

  @Test
  void aPageOfAnotherOriginChangesNothing() throws Exception {
    for (String method : UNSAFE) {
      assertThat(send(method, ORIGIN, "http://evil.example")).isEqualTo(403);
      assertThat(said).contains("(http://evil.example)").contains("\"status\":403");
      assertThat(send(method, SITE, "cross-site")).isEqualTo(403);
      assertThat(send(method, SITE, "same-site")).isEqualTo(403);
      assertThat(send(method, SITE, "something new")).isEqualTo(403);
      assertThat(send(method, ORIGIN, "http://onos:8181", SITE, "cross-site")).isEqualTo(403);
      assertThat(send(method, ORIGIN, "null")).isEqualTo(403);
      assertThat(send(method, ORIGIN, "")).isEqualTo(403);
    }
  }

  @Test
  void readingIsForAllOrigins() throws Exception {
    for (String method : List.of("GET", "HEAD", "OPTIONS")) {
      assertThat(send(method, ORIGIN, "http://evil.example", SITE, "cross-site")).isEqualTo(PASSED);
    }
  }

  @Test
  void programsAndOurOwnPagesAreLetThrough() throws Exception {
    for (String method : UNSAFE) {
      assertThat(send(method)).isEqualTo(PASSED);
      assertThat(send(method, ORIGIN, "http://onos:8181", SITE, "same-origin")).isEqualTo(PASSED);
      assertThat(send(method, ORIGIN, "HTTP://ONOS:8181")).isEqualTo(PASSED);
      assertThat(send(method, SITE, "none")).isEqualTo(PASSED);
    }
  }

  @Test
  void anotherPortOrNameIsAnotherOrigin() throws Exception {
    for (String other :
        List.of(
            "http://onos",
            "http://onos:8182",
            "http://onos.evil:8181",
            "http://onos:8181.evil",
            "onos:8181",
            "ftp://onos:8181",
            "http://x@onos:8181")) {
      assertThat(send("POST", ORIGIN, other)).as(other).isEqualTo(403);
    }
    assertThat(send("POST", HOST, "[::1]:8181", ORIGIN, "http://[::1]:8181")).isEqualTo(PASSED);
    assertThat(send("POST", HOST, "[::1]", ORIGIN, "http://[::1]:80")).isEqualTo(PASSED);
    assertThat(send("POST", HOST, "[::1]", ORIGIN, "http://[::1]:81")).isEqualTo(403);
  }

  @Test
  void aProxyThatSaysAsWhatItWasAddressedIsBelieved() throws Exception {
    assertThat(
            send(
                "POST", ORIGIN, "https://paceline.example", "X-Forwarded-Host", "paceline.example"))
        .isEqualTo(PASSED);
    assertThat(send("POST", HOST, "paceline.example", ORIGIN, "https://paceline.example"))
        .isEqualTo(PASSED);
    assertThat(send("POST", ORIGIN, "https://evil.example", "X-Forwarded-Host", "paceline.example"))
        .isEqualTo(403);
    secure = true;
    assertThat(send("POST", ORIGIN, "http://onos:8181")).isEqualTo(403);
    assertThat(send("POST", ORIGIN, "https://onos:8181")).isEqualTo(PASSED);
  }

  @Test
  void aBodyNeedsItsType() throws Exception {
    for (String method : UNSAFE) {
      assertThat(send(method, "Content-Length", "2")).isEqualTo(415);
      assertThat(send(method, "Transfer-Encoding", "chunked")).isEqualTo(415);
      assertThat(send(method, "Content-Length", "2", "Content-Type", "x/y")).isEqualTo(PASSED);
      assertThat(send(method, "Content-Length", "0")).isEqualTo(PASSED);
    }
  }

  @Test
  void restconfIsRefusedInItsOwnForm() throws Exception {
    servlet = "/restconf";
    assertThat(send("POST", ORIGIN, "http://evil\"\\.example")).isEqualTo(403);
    assertThat(said)
        .contains("\"error-tag\":\"access-denied\"")
        .contains("(http://evil\\\"\\\\.example)");
    assertThat(send("POST", "Content-Length", "2")).isEqualTo(415);
    assertThat(said).contains("ietf-restconf:errors");
  }

  /**
   * @param headers names and values in turn
   */
  private int send(String method, String... headers) throws IOException, ServletException {
    Map<String, String> sent = new TreeMap<>(Map.of(HOST, "onos:8181"));
    for (int i = 0; i < headers.length; i += 2) {
      sent.put(headers[i], headers[i + 1]);
    }
    int[] status = {0};
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    new Origins()
        .doFilter(request(method, sent), response(status, body), (in, out) -> status[0] = PASSED);
    said = body.toString(StandardCharsets.UTF_8);
    return status[0];
  }

  private HttpServletRequest request(String method, Map<String, String> headers) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, asked, arguments) -> {
              switch (asked.getName()) {
                case "getMethod":
                  return method;
                case "getHeader":
                  return headers.get(arguments[0]);
                case "getContentType":
                  return headers.get("Content-Type");
                case "getContentLengthLong":
                  return Long.parseLong(headers.getOrDefault("Content-Length", "-1"));
                case "getServletPath":
                  return servlet;
                case "isSecure":
                  return secure;
                default:
                  throw new AssertionError(asked);
              }
            });
  }

  private HttpServletResponse response(int[] status, ByteArrayOutputStream body) {
    return (HttpServletResponse)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {HttpServletResponse.class},
            (proxy, asked, arguments) -> {
              if (asked.getName().equals("setStatus")) {
                status[0] = (int) arguments[0];
              }
              return asked.getName().equals("getOutputStream") ? stream(body) : null;
            });
  }

  private static ServletOutputStream stream(ByteArrayOutputStream body) {
    return new ServletOutputStream() {
      @Override
      public void write(int one) {
        body.write(one);
      }

      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void setWriteListener(WriteListener listener) {
        // Nobody waits.
      }
    };
  }
}
