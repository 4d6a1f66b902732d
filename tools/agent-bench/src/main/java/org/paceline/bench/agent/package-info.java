/** The bench of the host agent: a real agent on real queues, told rates by the real protocol. */
package org.paceline.bench.agent;
