/** The counters of switches, read at a steady pace. */
package org.paceline.onos.telemetry;
