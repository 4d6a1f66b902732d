/** Rules that need more than one table of a switch. */
package org.paceline.onos.tables;
