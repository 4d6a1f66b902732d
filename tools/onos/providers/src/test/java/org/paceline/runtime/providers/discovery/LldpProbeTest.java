package org.paceline.runtime.providers.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ChassisId;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onosproject.net.ConnectPoint;

class LldpProbeTest {
  private static final ConnectPoint FROM =
      ConnectPoint.deviceConnectPoint("of:00000000000000ff/4000");

  private static Ethernet received(ByteBuffer frame) throws DeserializationException {
    return Ethernet.deserializer().deserialize(frame.array(), 0, frame.array().length);
  }

  @Test
  void aProbeTellsWhereItWasSent() throws DeserializationException {
    LldpProbe probe = new LldpProbe("secret");

    ByteBuffer frame = probe.frame(FROM, new ChassisId(255));

    assertThat(probe.sender(received(frame))).contains(FROM);
  }

  @Test
  void aProbeThatAnotherSecretSignedIsNotBelieved() throws DeserializationException {
    ByteBuffer forged = new LldpProbe("guess").frame(FROM, new ChassisId(255));

    assertThat(new LldpProbe("secret").sender(received(forged))).isEmpty();
  }

  @Test
  void aProbeThatWasChangedUnderWayIsNotBelieved() throws DeserializationException {
    LldpProbe probe = new LldpProbe("secret");
    byte[] frame = probe.frame(FROM, new ChassisId(255)).array();
    String text = new String(frame, java.nio.charset.StandardCharsets.ISO_8859_1);
    frame[text.indexOf("of:") + 18] = '1';

    assertThat(probe.sender(received(ByteBuffer.wrap(frame)))).isEmpty();
  }

  @Test
  void otherFramesAreNoProbes() {
    Ethernet other = new Ethernet();
    other.setEtherType(Ethernet.TYPE_IPV4);

    assertThat(new LldpProbe("secret").sender(other)).isEmpty();
  }
}
