package org.paceline.intents.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IpAddressTest {
  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "255.255.255.255", "0.0.0.0", "2001:db8::1", "::", "::1"})
  void readsWhatItWrites(String text) {
    assertThat(IpAddress.parse(text)).hasToString(text);
    assertThat(IpAddress.parse(text).isIpv4()).isEqualTo(text.contains("."));
  }

  @Test
  void anIpv4AddressWithinIpv6IsThatIpv4Address() {
    assertThat(IpAddress.parse("::ffff:10.0.0.1")).isEqualTo(IpAddress.parse("10.0.0.1"));
    assertThat(IpAddress.ofIpv6(0, 0xffff_0a00_0001L)).isEqualTo(IpAddress.parse("10.0.0.1"));
  }

  @Test
  void namesAreNoAddresses() {
    assertThatIllegalArgumentException().isThrownBy(() -> IpAddress.parse("localhost"));
  }

  @Test
  void ordersAsNumbersWithoutSign() {
    assertThat(IpAddress.parse("9.0.0.0")).isLessThan(IpAddress.parse("200.0.0.0"));
    assertThat(IpAddress.parse("2001::")).isLessThan(IpAddress.parse("fd00::"));
  }

  @Property(seed = "20")
  void aPrefixHoldsTheAddressesThatShareItsFirstBits(
      @ForAll @Size(16) byte[] one,
      @ForAll @Size(16) byte[] other,
      @ForAll @IntRange(min = 0, max = 128) int same,
      @ForAll @IntRange(min = 0, max = 128) int length)
      throws UnknownHostException {
    byte[] near = other.clone();
    for (int bit = 0; bit < same; bit++) {
      int mask = 0x80 >> bit % 8;
      near[bit / 8] = (byte) (near[bit / 8] & ~mask | one[bit / 8] & mask);
    }
    for (int bytes : new int[] {4, 16}) {
      int bits = Math.min(length, bytes * 8);
      InetAddress first = InetAddress.getByAddress(Arrays.copyOf(one, bytes));
      InetAddress second = InetAddress.getByAddress(Arrays.copyOf(near, bytes));
      AddressPrefix prefix = AddressPrefix.of(IpAddress.of(first), bits);
      assertThat(prefix.contains(first)).isTrue();
      assertThat(prefix.contains(second))
          .as("%s and %s by %s", first, second, bits)
          .isEqualTo(sharedBits(first.getAddress(), second.getAddress()) >= bits);
      assertThat(AddressPrefix.parse(prefix.toString())).isEqualTo(prefix);
    }
  }

  private static int sharedBits(byte[] one, byte[] other) {
    int bits = 0;
    while (bits < one.length * 8 && ((one[bits / 8] ^ other[bits / 8]) & 0x80 >> bits % 8) == 0) {
      bits++;
    }
    return bits;
  }

  @Test
  void noPrefixHoldsAddressesOfBothFamilies() {
    assertThat(AddressPrefix.parse("::/0").contains(IpAddress.parse("10.0.0.1"))).isFalse();
    assertThat(AddressPrefix.parse("0.0.0.0/0").contains(IpAddress.parse("fd00::1"))).isFalse();
    assertThat(AddressPrefix.parse("0.0.0.0/0").contains(IpAddress.parse("10.0.0.1"))).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AddressPrefix.of(IpAddress.parse("10.0.0.1"), 33))
        .withMessageContaining("(33) must lie from 0 to 32");
  }
}
