package org.paceline.agent.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.net.InetAddress;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {

  @Property(seed = "20")
  void anAddressIsInARangeWhenTheBitsOfThePrefixAreTheSame(
      @ForAll @Size(4) byte[] network,
      @ForAll @Size(4) byte[] address,
      @ForAll @IntRange(max = 32) int prefix)
      throws Exception {
    AddressRange range =
        AddressRange.parse(InetAddress.getByAddress(network).getHostAddress() + "/" + prefix);
    boolean same =
        new BigInteger(1, network)
            .shiftRight(32 - prefix)
            .equals(new BigInteger(1, address).shiftRight(32 - prefix));

    assertThat(range.contains(InetAddress.getByAddress(address))).isEqualTo(same);
    assertThat(AddressRange.parse(range.toString())).isEqualTo(range);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/33", "ten", "10.0.0.0/", "localhost/8", "2001:db8::/129", "/8"})
  void whatIsNoRangeIsRefusedWithAWayOut(String text) {
    assertThatThrownBy(() -> AddressRange.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(" + text + ")")
        .hasMessageContaining("Maybe");
  }
}
