package org.paceline.agent.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class AddressSetTest {
  /** The kernel refuses sets with overlaps: leaving some out must not change who is in. */
  @Property(seed = "20")
  void rangesThatAreInOthersAreLeftOutAndNobodyWithThem(
      @ForAll @Size(max = 6) List<@IntRange(max = 0xffff) Integer> numbers, @ForAll int candidate)
      throws Exception {
    List<AddressRange> ranges =
        numbers.stream()
            .map(n -> AddressRange.parse("10." + (n & 3) + "." + (n >> 2 & 3) + ".0/" + n % 25))
            .toList();
    AddressSet set = new AddressSet(ranges);
    InetAddress address =
        InetAddress.getByAddress(
            new byte[] {10, (byte) (candidate & 3), (byte) (candidate >> 2 & 3), 1});

    assertThat(set.contains(address)).isEqualTo(ranges.stream().anyMatch(r -> r.contains(address)));
    for (AddressRange one : set.ranges()) {
      assertThat(set.ranges()).noneMatch(other -> other != one && other.contains(one));
    }
  }
}
