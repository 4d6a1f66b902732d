/** Default forwarding of everything unmanaged. */
package org.paceline.onos.forward;
