package org.paceline.intents.document;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The characters of a document. */
public final class DocumentText {
  private DocumentText() {}

  /**
   * @throws DocumentRefused if there are too many bytes, or they are no UTF-8
   */
  public static String of(byte[] bytes, DocumentLimits limits) {
    if (bytes.length > limits.bytes()) {
      throw new DocumentRefused(
          "",
          "is larger than "
              + limits.bytes()
              + " bytes, with its "
              + bytes.length
              + ". Maybe it is not the one you meant.");
    }
    try {
      // A decoder of its own: what it cannot read it must not replace.
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new DocumentRefused("", "is no text in UTF-8. Maybe save it in that encoding.");
    }
  }
}
