package org.paceline.control.port;

import org.paceline.control.model.NetworkState;

/** The network as it is now. */
public interface NetworkView {
  /** A snapshot; the same object until something changes. */
  NetworkState current();
}
