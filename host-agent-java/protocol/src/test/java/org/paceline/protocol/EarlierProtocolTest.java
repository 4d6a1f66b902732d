package org.paceline.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The protocol as an earlier agent or controller has it, from before a Welcome named unknown
 * intents: {@code protoc --descriptor_set_out} of the agent.proto of that time, which nobody may
 * make anew. Whatever either side says, the other reads what it knows of.
 */
class EarlierProtocolTest {
  private static final FileDescriptor NOW = AgentProtocol.getDescriptor();

  private FileDescriptor before;

  @BeforeEach
  void readTheEarlierOne() throws Exception {
    try (InputStream in = getClass().getResourceAsStream("/agent-before-unknown-intents.desc")) {
      FileDescriptorSet set = FileDescriptorSet.parseFrom(Objects.requireNonNull(in));
      before = FileDescriptor.buildFrom(set.getFile(0), new FileDescriptor[0]);
    }
  }

  @Test
  void whatAnEarlierOneSaysMeansTheSameNow() {
    assertThat(before.getMessageTypes()).hasSizeGreaterThan(20);
    before
        .getMessageTypes()
        .forEach(message -> hasKept(message, NOW.findMessageTypeByName(message.getName())));
    before.getEnumTypes().forEach(one -> hasKept(one, NOW.findEnumTypeByName(one.getName())));
  }

  private static void hasKept(Descriptor earlier, Descriptor now) {
    assertThat(now).as(earlier.getFullName()).isNotNull();
    for (FieldDescriptor field : earlier.getFields()) {
      FieldDescriptor same = now.findFieldByNumber(field.getNumber());
      if (same == null) {
        assertThat(now.isReservedNumber(field.getNumber())).as("%s is reserved", field).isTrue();
      } else {
        assertThat(shape(same)).as(field.getFullName()).isEqualTo(shape(field));
      }
    }
    earlier.getEnumTypes().forEach(one -> hasKept(one, now.findEnumTypeByName(one.getName())));
  }

  private static void hasKept(EnumDescriptor earlier, EnumDescriptor now) {
    for (EnumValueDescriptor value : earlier.getValues()) {
      assertThat(now.findValueByNumber(value.getNumber()))
          .as(value.getFullName())
          .extracting(EnumValueDescriptor::getName)
          .isEqualTo(value.getName());
    }
  }

  /** By which its bytes are read. */
  private static List<Object> shape(FieldDescriptor field) {
    String type = "";
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      type = field.getMessageType().getFullName();
    } else if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
      type = field.getEnumType().getFullName();
    }
    return List.of(field.getName(), field.getType(), field.isRepeated(), type);
  }

  @Test
  void anEarlierAgentReadsOfAWelcomeWhatItKnows() throws Exception {
    Welcome welcome =
        Welcome.newBuilder()
            .setSession("s")
            .setLeaseSeconds(120)
            .addWantedBuckets(7)
            .addUnknownIntents(UnknownIntent.newBuilder().setIntent("voip/x").setServedAs("voip"))
            .build();
    Descriptor earlier = before.findMessageTypeByName("Welcome");
    DynamicMessage read = DynamicMessage.parseFrom(earlier, welcome.toByteArray());
    assertThat(read.getField(earlier.findFieldByName("session"))).isEqualTo("s");
    assertThat(read.getField(earlier.findFieldByName("lease_seconds"))).isEqualTo(120);
    assertThat(read.getField(earlier.findFieldByName("wanted_buckets"))).isEqualTo(List.of(7));
    assertThat(read.getUnknownFields().asMap()).containsOnlyKeys(8);
  }

  @Test
  void theWelcomeOfAnEarlierControllerNamesNoUnknownIntent() throws Exception {
    Descriptor earlier = before.findMessageTypeByName("Welcome");
    DynamicMessage said =
        DynamicMessage.newBuilder(earlier)
            .setField(earlier.findFieldByName("session"), "s")
            .setField(earlier.findFieldByName("knows_digests"), true)
            .build();
    Welcome read = Welcome.parseFrom(said.toByteArray());
    assertThat(read.getSession()).isEqualTo("s");
    assertThat(read.getKnowsDigests()).isTrue();
    assertThat(read.getUnknownIntentsList()).isEmpty();
  }
}
