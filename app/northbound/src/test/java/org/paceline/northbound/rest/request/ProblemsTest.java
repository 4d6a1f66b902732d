package org.paceline.northbound.rest.request;

import static org.assertj.core.api.Assertions.assertThat;

import javax.ws.rs.core.Response;
import org.junit.jupiter.api.Test;
import org.paceline.control.port.StoreUnavailable;

final class ProblemsTest {
  @Test
  void aStoreThatDoesNotAnswerIsNobodysMistakeAndMayBeAskedAgain() {
    Response problem =
        new Problems().toResponse(new StoreUnavailable(new IllegalStateException("no majority")));
    assertThat(problem.getStatus()).isEqualTo(503);
    assertThat(problem.getHeaderString("Retry-After")).isEqualTo("1");
    assertThat(problem.getEntity().toString()).contains("no majority", "Maybe");
  }
}
