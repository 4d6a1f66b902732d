package org.paceline.northbound.restconf;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import javax.servlet.http.HttpServletResponse;
import org.paceline.yang.restconf.Restconf;
import org.paceline.yang.restconf.message.EventStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a client what happens as server-sent events, on the thread of its request: there are few
 * such clients at once, and one that does not read waits for its own sake only.
 */
final class EventWriter {
  private static final Logger log = LoggerFactory.getLogger(EventWriter.class);

  /** Less than the 30 s of silence after which the web server, or a proxy, closes a line. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

  private EventWriter() {}

  /** Returns when the client is gone, or nothing comes any more. */
  static void send(EventStream.Listener events, HttpServletResponse response) {
    response.setContentType(Restconf.STREAM_MEDIA_TYPE);
    response.setHeader("Cache-Control", "no-cache");
    try {
      OutputStream out = response.getOutputStream();
      response.flushBuffer();
      while (true) {
        Optional<String> event = events.next(LONGEST_SILENCE);
        if (events.isOver()) {
          return;
        }
        // A line that begins with a colon says nothing, but finds out whether the client is there.
        String text = event.map(json -> "data: " + json).orElse(":");
        out.write((text + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (IOException gone) {
      log.debug("A client listens no more", gone);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
