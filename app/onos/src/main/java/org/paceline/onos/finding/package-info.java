/** Flows of hosts without an agent, found by their first packets at the network's edge. */
package org.paceline.onos.finding;
