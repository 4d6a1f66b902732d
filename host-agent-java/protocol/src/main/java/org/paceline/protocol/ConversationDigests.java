package org.paceline.protocol;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * By what two sides find out where they differ over what is open on a host: conversations fall into
 * buckets by their ids, and each bucket has a digest of all that is said of those in it. What the
 * digests are made of stands at {@code Hello.digests}.
 */
public final class ConversationDigests {
  private static final int FEWEST = 64;

  /** No Hello may have more digests. */
  public static final int MOST = 1 << 13;

  /** So few that a single difference costs a handful of conversations. */
  private static final int IN_A_BUCKET = 4;

  private ConversationDigests() {}

  /** How many buckets are worth their digests, a power of two. */
  public static int bucketsFor(int conversations) {
    int buckets = FEWEST;
    while (buckets < MOST && buckets * IN_A_BUCKET < conversations) {
      buckets *= 2;
    }
    return buckets;
  }

  /** The bucket of a conversation with this id. */
  public static int bucket(String id, int buckets) {
    CRC32 sum = new CRC32();
    sum.update(id.getBytes(StandardCharsets.UTF_8));
    return (int) (sum.getValue() % buckets);
  }

  /** One digest a bucket, in their order. */
  public static List<Long> of(Collection<ConversationOpened> conversations, int buckets) {
    List<List<ConversationOpened>> sorted = new ArrayList<>();
    for (int i = 0; i < buckets; i++) {
      sorted.add(new ArrayList<>());
    }
    conversations.forEach(one -> sorted.get(bucket(one.getId(), buckets)).add(one));
    return sorted.stream().map(ConversationDigests::digest).collect(Collectors.toList());
  }

  private static long digest(List<ConversationOpened> bucket) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      DigestOutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), sha);
      bucket.sort(Comparator.comparing(ConversationOpened::getId));
      for (ConversationOpened one : bucket) {
        one.writeDelimitedTo(out);
      }
      return ByteBuffer.wrap(sha.digest()).getLong();
    } catch (NoSuchAlgorithmException | IOException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }
}
