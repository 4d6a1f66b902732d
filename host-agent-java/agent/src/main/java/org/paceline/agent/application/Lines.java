package org.paceline.agent.application;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Cuts what arrives into lines. One that is too long is told as such, and not kept. */
final class Lines extends ByteToMessageDecoder {
  static final int LONGEST = 4_096;

  private boolean tooLong;

  /**
   * @param text empty where it was too long
   */
  record Line(String text, boolean tooLong) {}

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int length = in.bytesBefore((byte) '\n');
    if (length >= 0) {
      boolean whole = !tooLong && length <= LONGEST;
      String text = whole ? in.toString(in.readerIndex(), length, StandardCharsets.UTF_8) : "";
      in.skipBytes(length + 1);
      tooLong = false;
      out.add(new Line(text, !whole));
    } else if (in.readableBytes() > LONGEST) {
      in.skipBytes(in.readableBytes());
      tooLong = true;
    }
  }
}
