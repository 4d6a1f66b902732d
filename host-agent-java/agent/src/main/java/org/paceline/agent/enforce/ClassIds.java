package org.paceline.agent.enforce;

/** By which handles the agent's queues and classes are known, in the kernel and in tc's words. */
public final class ClassIds {
  public static final int MAJOR = 0xace1;
  public static final String MAJOR_TEXT = Integer.toHexString(MAJOR);

  /** By this handle leftovers are known as ours. */
  public static final String HANDLE = MAJOR_TEXT + ":";

  /** The class of senders that have none of their own yet. */
  public static final int NEWCOMERS = 0xfffe;

  /** The class that those of conversations borrow from; its rate is 0 while nobody may. */
  public static final int POOL = 0xfffd;

  public static final int MOST_CONVERSATIONS = 0xfff0;

  private ClassIds() {}

  /** As tc names a class. */
  public static String text(int minor) {
    return HANDLE + Integer.toHexString(minor);
  }
}
