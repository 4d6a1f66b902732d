package org.paceline.agent.netns;

import java.util.List;
import java.util.Map;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.htb.KernelClasses;

/** Makes a class as the agent does, in the network namespace that it is started in. */
final class OneClass {
  private OneClass() {}

  /**
   * Fails where the kernel complains.
   *
   * @param words the interface, the class's minor number and its rate in bit/s
   */
  public static void main(String[] words) throws Exception {
    Map<Integer, ClassRate> one =
        Map.of(Integer.parseInt(words[1]), ClassRate.of(Long.parseLong(words[2])));
    try (KernelClasses kernel = KernelClasses.open()) {
      List<String> complaints = kernel.apply(words[0], ClassChanges.between(Map.of(), one));
      if (!complaints.isEmpty()) {
        throw new IllegalStateException(String.join("\n", complaints));
      }
    }
  }
}
