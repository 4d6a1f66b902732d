/** Ports at which nobody sends from addresses of others. */
package org.paceline.onos.guard;
