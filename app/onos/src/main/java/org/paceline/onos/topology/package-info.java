/** ONOS's devices, links and hosts as a network. */
package org.paceline.onos.topology;
