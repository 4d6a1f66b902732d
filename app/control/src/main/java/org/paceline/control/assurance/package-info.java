/**
 * Compares what the network holds and sends with the plan, repairs what differs, and raises alarms.
 *
 * <p>It uses what comes before it.
 */
package org.paceline.control.assurance;
