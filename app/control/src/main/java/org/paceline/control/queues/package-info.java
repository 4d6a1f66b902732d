/** Ports of switches get the queues that schemes want, and keep them. */
package org.paceline.control.queues;
