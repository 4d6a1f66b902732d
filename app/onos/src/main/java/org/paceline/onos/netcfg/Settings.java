package org.paceline.onos.netcfg;

import java.util.List;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;

/**
 * Paceline's part of what network configuration says of one subject. ONOS refuses what is not
 * valid, with the reason.
 */
public abstract class Settings<S> extends Config<S> {
  /** Names the part. */
  public static final String KEY = "paceline";

  private final List<String> known;

  /**
   * @param known the fields that there are
   */
  protected Settings(List<String> known) {
    this.known = known;
  }

  @Override
  public final boolean isValid() {
    // Not by hasOnlyFields, which throws without a way out.
    object
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                throw new InvalidFieldException(
                    name, "it is not known here. Maybe one of " + String.join(", ", known));
              }
            });
    mustBeUsable();
    return true;
  }

  /**
   * @throws InvalidFieldException if a value cannot be used
   */
  protected abstract void mustBeUsable();
}
