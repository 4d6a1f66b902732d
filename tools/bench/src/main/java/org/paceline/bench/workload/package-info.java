/** Problems to measure, all by rule or from a public collection, the same at every run. */
package org.paceline.bench.workload;
