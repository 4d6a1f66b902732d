/** Drop meters at the first hop, for senders without an agent. */
package org.paceline.onos.meter;
