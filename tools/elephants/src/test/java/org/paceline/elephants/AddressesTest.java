package org.paceline.elephants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.paceline.intents.address.IpAddress;

class AddressesTest {
  private static final String LETTERS = "0123456789abcdefABCDEF:::...";

  private final Addresses addresses = new Addresses();

  @Example
  void readsAllForms() {
    for (String text :
        new String[] {
          "10.0.0.1",
          "0.0.0.0",
          "255.255.255.255",
          "::",
          "::1",
          "1::",
          "2001:db8::1",
          "2001:DB8:0:0:1:0:0:1",
          "1:2:3:4:5:6:7:8",
          "::ffff:10.0.0.1",
          "1:2:3:4:5:6:7::",
          "::2:3:4:5:6:7:8",
          "fe80::1:0:0:ffff"
        }) {
      assertThat(read(text)).as(text).isEqualTo(IpAddress.parse(text));
    }
  }

  /** What is nearly an address is read or refused as by the slow way. */
  @Property(tries = 3_000, seed = "20")
  void agreesWithTheSlowWay(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    if (random.nextBoolean()) {
      for (int i = random.nextInt(20); i >= 0; i--) {
        text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
    } else {
      int groups = 1 + random.nextInt(9);
      for (int group = 0; group < groups; group++) {
        text.append(group == 0 ? "" : random.nextInt(4) == 0 ? "::" : ":");
        text.append(Integer.toHexString(random.nextInt(0x10000)));
      }
      if (random.nextInt(6) == 0) {
        text.append("::");
      }
    }
    IpAddress slow;
    try {
      slow = IpAddress.parse(text.toString());
    } catch (IllegalArgumentException e) {
      assertThatIllegalArgumentException().as("%s", text).isThrownBy(() -> read(text.toString()));
      return;
    }
    assertThat(read(text.toString())).as("%s", text).isEqualTo(slow);
  }

  private IpAddress read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Line line = new Line();
    line.read(bytes, 0, bytes.length);
    return addresses.address(line, 0);
  }
}
