/** Tables, plots and result files. */
package org.paceline.bench.report;
