package org.paceline.northbound.discovery;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.http.HttpService;
import org.osgi.service.http.NamespaceException;
import org.paceline.northbound.restconf.RestconfServlet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads clients to RESTCONF's root: a bundle has one web context only, and its is REST's. Who asks
 * /.well-known/host-meta as RFC 8040, section 3.1, wants it finds the root there; who takes
 * /restconf for granted is sent on, with the same method and body. Both say nothing that needs a
 * password. A component of its own, since the web server comes and goes without the plan's knowing.
 * It is in the small bundle of the web application, as pax-web searches the bundle of each servlet.
 */
@Component(immediate = true)
// OSGi sets references before it activates.
@SuppressWarnings("NullAway.Init")
public final class Discovery {
  private static final Logger log = LoggerFactory.getLogger(Discovery.class);
  private static final String HOST_META = "/.well-known/host-meta";
  private static final String USUAL_ROOT = "/restconf";
  private static final int PERMANENT_REDIRECT = 308;

  @Reference private HttpService http;

  /** Where another bundle has these names, clients must know the root: nothing else fails. */
  @Activate
  void open() {
    try {
      http.registerServlet(HOST_META, new HostMeta(), null, null);
      http.registerServlet(USUAL_ROOT, new Redirect(), null, null);
    } catch (ServletException | NamespaceException e) {
      log.warn("RESTCONF is at {} only: {}", RestconfServlet.ROOT, e.getMessage());
    }
  }

  @Deactivate
  void close() {
    for (String name : new String[] {HOST_META, USUAL_ROOT}) {
      try {
        http.unregister(name);
      } catch (IllegalArgumentException neverRegistered) {
        log.debug("{} was not ours", name);
      }
    }
  }

  private static final class HostMeta extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType("application/xrd+xml");
      response
          .getOutputStream()
          .write(
              ("<XRD xmlns=\"http://docs.oasis-open.org/ns/xri/xrd-1.0\"><Link rel=\"restconf\""
                      + " href=\""
                      + RestconfServlet.ROOT
                      + "\"/></XRD>\n")
                  .getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Where what was asked for really is.
   *
   * @throws URISyntaxException if that is no address, and so nothing for a header
   */
  static URI place(String path, @Nullable String query) throws URISyntaxException {
    String below = path.substring(USUAL_ROOT.length());
    return new URI(RestconfServlet.ROOT + below + (query == null ? "" : "?" + query));
  }

  private static final class Redirect extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) {
      try {
        response.setHeader(
            "Location", place(request.getRequestURI(), request.getQueryString()).toASCIIString());
        response.setStatus(PERMANENT_REDIRECT);
      } catch (URISyntaxException e) {
        response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
      }
    }
  }
}
