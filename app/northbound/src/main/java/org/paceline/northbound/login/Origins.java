package org.paceline.northbound.login;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.paceline.intents.document.Quoted;

/**
 * Refuses what a page of another origin makes a browser send without being asked: the browser adds
 * the login of whoever sits there. It says where a request comes from, and no page can change that.
 * Programs say nothing of it, and are let through.
 */
public final class Origins implements Filter {
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");
  private static final int UNSUPPORTED_MEDIA_TYPE = 415;

  @Override
  public void init(FilterConfig config) {
    // Nothing is set.
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain next)
      throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    Optional<String> stranger =
        SAFE.contains(asked.getMethod()) ? Optional.empty() : stranger(asked);
    if (stranger.isPresent()) {
      Refusal.send(
          asked,
          (HttpServletResponse) response,
          HttpServletResponse.SC_FORBIDDEN,
          "access-denied",
          "A page of "
              + stranger.get()
              + " may change nothing here. Maybe open this controller's own address; a proxy"
              + " before it has to keep Host, or to send X-Forwarded-Host.");
    } else if (hasBody(asked) && asked.getContentType() == null) {
      Refusal.send(
          asked,
          (HttpServletResponse) response,
          UNSUPPORTED_MEDIA_TYPE,
          "invalid-value",
          "The body has no Content-Type. Maybe it is application/json.");
    } else {
      next.doFilter(request, response);
    }
  }

  /** Where the request comes from, if that is not this controller. */
  private static Optional<String> stranger(HttpServletRequest request) {
    Optional<String> origin = Optional.ofNullable(request.getHeader("Origin"));
    boolean isOtherSite =
        Optional.ofNullable(request.getHeader("Sec-Fetch-Site"))
            .filter(site -> !OWN_SITES.contains(site.trim().toLowerCase(Locale.ROOT)))
            .isPresent();
    if (isOtherSite) {
      return Optional.of(origin.map(Quoted::of).orElse("another origin"));
    }
    return origin.filter(from -> !isOwn(from, request)).map(Quoted::of);
  }

  /**
   * A proxy may take HTTPS in and send HTTP on, so an origin of HTTPS is ours by its host and port;
   * one of HTTP is not where the request came by HTTPS.
   */
  private static boolean isOwn(String origin, HttpServletRequest request) {
    String from = origin.trim().toLowerCase(Locale.ROOT);
    boolean isSecure = from.startsWith("https://");
    if (!isSecure && (request.isSecure() || !from.startsWith("http://"))) {
      return false;
    }
    String scheme = isSecure ? "https" : "http";
    String host = withPort(from.substring(scheme.length() + "://".length()), scheme);
    return hosts(request).map(own -> withPort(own, scheme)).anyMatch(host::equals);
  }

  /** As which this controller was addressed: no page can set either header. */
  private static Stream<String> hosts(HttpServletRequest request) {
    return Stream.of("Host", "X-Forwarded-Host")
        .map(request::getHeader)
        .filter(header -> header != null)
        .map(header -> header.split(",", -1))
        .flatMap(Arrays::stream)
        .map(host -> host.trim().toLowerCase(Locale.ROOT));
  }

  private static String withPort(String host, String scheme) {
    boolean hasPort = host.lastIndexOf(':') > host.lastIndexOf(']');
    return hasPort ? host : host + (scheme.equals("https") ? ":443" : ":80");
  }

  private static boolean hasBody(HttpServletRequest request) {
    return request.getContentLengthLong() > 0
        || Optional.ofNullable(request.getHeader("Transfer-Encoding")).isPresent();
  }

  @Override
  public void destroy() {
    // Nothing is held.
  }
}
