package org.paceline.northbound.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

final class BrowserRulesTest {
  private static final String POLICY = "Content-Security-Policy";

  @Test
  void withDataABrowserMayDoNothing() throws Exception {
    Map<String, String> headers = answered("/onos/paceline/v1/conversations");
    assertThat(headers).containsEntry(POLICY, "default-src 'none'; frame-ancestors 'none'");
    assertThat(headers).containsEntry("X-Content-Type-Options", "nosniff");
  }

  @Test
  void ourPageRunsItsOwnScriptAndNoOther() throws Exception {
    assertThat(answered("/onos/paceline/v1/reference").get(POLICY))
        .startsWith("default-src 'none'; frame-ancestors 'none'; connect-src 'self'; script-src ")
        .containsPattern("script-src 'sha256-[A-Za-z0-9+/]{43}='; style-src 'sha256-")
        .doesNotContain("unsafe");
  }

  private Map<String, String> answered(String address) throws Exception {
    Map<String, String> headers = new HashMap<>();
    new BrowserRules()
        .doFilter(
            (HttpServletRequest) proxy(HttpServletRequest.class, address, headers),
            (HttpServletResponse) proxy(HttpServletResponse.class, address, headers),
            (in, out) -> headers.put("passed", "on"));
    assertThat(headers).containsKey("passed");
    return headers;
  }

  private Object proxy(Class<?> type, String address, Map<String, String> headers) {
    return Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {type},
        (self, asked, arguments) -> {
          if (asked.getName().equals("setHeader")) {
            headers.put((String) arguments[0], (String) arguments[1]);
          }
          return asked.getName().equals("getRequestURI") ? address : null;
        });
  }
}
