package org.paceline.northbound.service;

import java.util.Optional;
import javax.servlet.ServletContext;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/** OSGi's services, as the bundle of a web application sees them. */
public final class WebServices {
  /** Where a web container keeps the bundle (OSGi Compendium 6, section 128.6.1). */
  private static final String BUNDLE = "osgi-bundlecontext";

  private final BundleContext bundle;

  private WebServices(BundleContext bundle) {
    this.bundle = bundle;
  }

  /**
   * @throws IllegalStateException if the web application came in no bundle
   */
  public static WebServices of(ServletContext web) {
    Object bundle = web.getAttribute(BUNDLE);
    if (!(bundle instanceof BundleContext)) {
      throw new IllegalStateException(
          "The web application has no " + BUNDLE + ". Maybe install Paceline as a bundle.");
    }
    return new WebServices((BundleContext) bundle);
  }

  /** Empty while nobody offers it, such as before the application has started. */
  public <T> Optional<T> find(Class<T> type) {
    ServiceReference<T> offered = bundle.getServiceReference(type);
    return offered == null ? Optional.empty() : Optional.ofNullable(bundle.getService(offered));
  }
}
