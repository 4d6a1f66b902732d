package org.paceline.control.explain;

import com.google.auto.value.AutoValue;
import java.util.List;
import org.paceline.control.model.Proof;
import org.paceline.intents.problem.Grant;

/** Why a conversation got what it got. */
@AutoValue
public abstract class Explanation {
  /** What its intent resolved to, each value with the node that set it, is in here. */
  public abstract Proof proof();

  /** As planned; the proof's may be newer. */
  public abstract Grant grant();

  /** Along its path. */
  public abstract List<LinkShare> links();

  public abstract NextStep next();

  static Explanation of(Proof proof, Grant grant, List<LinkShare> links, NextStep next) {
    return new AutoValue_Explanation(proof, grant, List.copyOf(links), next);
  }
}
