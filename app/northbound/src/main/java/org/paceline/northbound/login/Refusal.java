package org.paceline.northbound.login;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.paceline.northbound.rest.request.Problems;
import org.paceline.northbound.restconf.RestconfServlet;

/** What a filter answers instead of REST or RESTCONF, in the form of either. */
final class Refusal {
  private Refusal() {}

  /**
   * @param tag of RESTCONF's errors
   */
  static void send(
      HttpServletRequest asked, HttpServletResponse answer, int status, String tag, String why)
      throws IOException {
    if (asked.getServletPath().equals(RestconfServlet.PATH)) {
      RestconfServlet.refuse(answer, status, tag, why);
      return;
    }
    answer.setStatus(status);
    answer.setContentType(Problems.MEDIA_TYPE);
    answer.getOutputStream().write(Problems.text(status, why).getBytes(StandardCharsets.UTF_8));
  }
}
