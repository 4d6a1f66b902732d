package org.paceline.intents.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class EndpointTest {
  private static Endpoint of(String text) {
    return Endpoint.parse(text);
  }

  @Test
  void textsOfTheSameAddressesAreEqual() {
    assertThat(of("2001:DB8:0::1")).isEqualTo(of("2001:db8::1")).hasToString("2001:db8::1");
    assertThat(of("10.0.0.7/32")).isEqualTo(of("10.0.0.7")).hasToString("10.0.0.7");
    assertThat(of("2001:db8::1/128")).isEqualTo(of("2001:db8::1"));
    assertThat(of("10.0.0.0/24")).hasToString("10.0.0.0/24");
    assertThat(of("2001:db8:1::/48")).hasToString("2001:db8:1::/48");
    assertThat(of("10.0.0.0/24").isAddress()).isFalse();
    assertThat(of("::ffff:10.0.0.1").isAddress()).isTrue();
  }

  @Test
  void anAddressAndItsPrefixOverlap() {
    assertThat(of("10.0.0.7").overlaps(of("10.0.0.0/24"))).isTrue();
    assertThat(of("10.0.0.0/16").overlaps(of("10.0.9.0/24"))).isTrue();
    assertThat(of("10.1.0.0/24").overlaps(of("10.0.0.0/24"))).isFalse();
    assertThat(of("::/0").overlaps(of("10.0.0.0/24"))).isFalse();
  }

  @Test
  void aPrefixWithBitsBehindItIsRefusedWithTheOneThatWasMeant() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of("10.0.0.9/29"))
        .withMessage(
            "The prefix (10.0.0.9/29) has bits behind its length. Maybe you meant 10.0.0.8/29, or"
                + " an address without a length.");
  }

  @Test
  void whatIsNeitherIsNamed() {
    for (String text : new String[] {"h2", "", "10.0.0.0/33", "10.0.0.0/", "/24", "10.0.0/24"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> of(text))
          .withMessageContaining(text)
          .withMessageContaining("Maybe");
    }
  }
}
