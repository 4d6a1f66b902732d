package org.paceline.northbound.login;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.paceline.northbound.rest.document.DocumentResource;

/**
 * What a browser may do with an answer (Content Security Policy, level 3): with data nothing at
 * all, and with our one page no more than run its own script and style.
 */
public final class BrowserRules implements Filter {
  static final String OF_DATA = "default-src 'none'; frame-ancestors 'none'";

  private final String ofPage = ofPage(DocumentResource.resource(DocumentResource.PAGE));

  @Override
  public void init(FilterConfig config) {
    // Nothing is set.
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain next)
      throws IOException, ServletException {
    boolean isPage =
        ((HttpServletRequest) request).getRequestURI().endsWith("/" + DocumentResource.PATH);
    HttpServletResponse answer = (HttpServletResponse) response;
    answer.setHeader("Content-Security-Policy", isPage ? ofPage : OF_DATA);
    answer.setHeader("X-Content-Type-Options", "nosniff");
    answer.setHeader("Referrer-Policy", "no-referrer");
    next.doFilter(request, response);
  }

  @Override
  public void destroy() {
    // Nothing is held.
  }

  private static String ofPage(String html) {
    return OF_DATA
        + "; connect-src 'self'; script-src "
        + hash(html, "script")
        + "; style-src "
        + hash(html, "style");
  }

  /** Of the one element of this name, byte by byte. */
  private static String hash(String html, String element) {
    int begins = html.indexOf("<" + element + ">") + element.length() + 2;
    String content = html.substring(begins, html.indexOf("</" + element + ">"));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
