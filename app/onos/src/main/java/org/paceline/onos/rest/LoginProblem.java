package org.paceline.onos.rest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** The page of the web server, which asks for a login before we see the request. */
public final class LoginProblem extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int status = response.getStatus();
    response.setContentType(Problems.MEDIA_TYPE);
    response
        .getOutputStream()
        .write(
            Problems.text(
                    status, "Log in as a user of ONOS who has the role viewer, operator or admin.")
                .getBytes(StandardCharsets.UTF_8));
  }
}
