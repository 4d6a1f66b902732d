/** Managed traffic apart from all other: marks and queues. */
package org.paceline.onos.queue;
