package org.paceline.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.paceline.control.api.UseCases;

/**
 * Finds the running application, anew for each command. A reference of Karaf's would be asked for
 * once: where the application could not start then, its commands would stay away though it starts
 * later. Asking also makes one that could not start try again.
 */
final class Application {
  private Application() {}

  /** Empty where it has not started. */
  static Optional<UseCases> find(@Nullable BundleContext bundle) {
    if (bundle == null) {
      return Optional.empty();
    }
    ServiceReference<UseCases> reference = bundle.getServiceReference(UseCases.class);
    return reference == null ? Optional.empty() : Optional.ofNullable(bundle.getService(reference));
  }
}
