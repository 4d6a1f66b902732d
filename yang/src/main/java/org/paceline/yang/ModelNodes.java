package org.paceline.yang;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.QNameModule;
import org.opendaylight.yangtools.yang.model.api.ChoiceSchemaNode;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/** The nodes of a model as JSON names them (RFC 7951, section 4). */
public final class ModelNodes {
  private ModelNodes() {}

  /** What stands in the data below a node: the cases of a choice do, and the choice does not. */
  public static List<DataSchemaNode> children(DataNodeContainer node) {
    return flat(node.getChildNodes()).collect(Collectors.toUnmodifiableList());
  }

  private static Stream<DataSchemaNode> flat(Collection<? extends DataSchemaNode> nodes) {
    return nodes.stream()
        .flatMap(
            node ->
                node instanceof ChoiceSchemaNode
                    ? ((ChoiceSchemaNode) node)
                        .getCases().stream().flatMap(each -> flat(each.getChildNodes()))
                    : Stream.of(node));
  }

  /**
   * A node's name as a member of its parent.
   *
   * @param parent the module of that; without, the node stands at the top
   */
  public static String member(
      EffectiveModelContext model, Optional<QNameModule> parent, QName name) {
    if (parent.isPresent() && parent.get().equals(name.getModule())) {
      return name.getLocalName();
    }
    return model.findModule(name.getModule()).orElseThrow().getName() + ":" + name.getLocalName();
  }

  /** A key in an instance identifier. */
  public static String predicate(String name, String value) {
    char quote = value.indexOf('\'') < 0 ? '\'' : '"';
    return "[" + name + "=" + quote + value + quote + "]";
  }
}
