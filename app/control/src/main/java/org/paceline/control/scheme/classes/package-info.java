/**
 * The service-classes scheme: a conversation's share is that of the class that its intent is of.
 *
 * <p>Behind the seam only {@code ServiceClassScheme} is seen. The mathematics are the allocator's.
 */
package org.paceline.control.scheme.classes;
