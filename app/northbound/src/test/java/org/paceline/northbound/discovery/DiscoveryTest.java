package org.paceline.northbound.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URISyntaxException;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
  @Test
  void theUsualRootLeadsOnWithPathAndQueryAsTheyWereWritten() throws URISyntaxException {
    assertThat(Discovery.place("/restconf/data/a:b=c%2Fd", "depth=1&fields=a(b;c)").toString())
        .isEqualTo("/onos/paceline/restconf/data/a:b=c%2Fd?depth=1&fields=a(b;c)");
    assertThat(Discovery.place("/restconf", null).toString()).isEqualTo("/onos/paceline/restconf");
  }

  @Test
  void whatWouldEndTheHeaderIsNoAddress() {
    assertThatThrownBy(() -> Discovery.place("/restconf/data", "a=b\r\nSet-Cookie: x=y"))
        .isInstanceOf(URISyntaxException.class);
    assertThatThrownBy(() -> Discovery.place("/restconf/\n", null))
        .isInstanceOf(URISyntaxException.class);
  }
}
