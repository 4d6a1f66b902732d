/** What ports carry, of whom, by the counters of switches, of their queues and of conversations. */
package org.paceline.control.traffic;
