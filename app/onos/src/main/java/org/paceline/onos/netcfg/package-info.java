/** What an operator tells of the network in ONOS's network configuration. */
package org.paceline.onos.netcfg;
