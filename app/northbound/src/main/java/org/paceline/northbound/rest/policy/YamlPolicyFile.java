package org.paceline.northbound.rest.policy;

import java.nio.charset.StandardCharsets;
import org.paceline.control.port.PolicyFile;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;

/** The file that REST exports and imports. */
public final class YamlPolicyFile implements PolicyFile {
  @Override
  public String write(IntentTree tree) {
    return IntentsYaml.write(tree);
  }

  @Override
  public IntentTree read(String text) {
    return IntentsYaml.read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Policy patched(Policy now, String patch, IntentTree tree) {
    return IntentsText.patched(now, patch, tree);
  }
}
