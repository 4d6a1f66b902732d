/** JMH benchmarks. */
package org.paceline.bench.kernel;
