/** The bench command: measures the allocator and says how noisy the measurement was. */
package org.paceline.bench;
