/** The solve command: an allocation problem in, a solution with its certificate out. */
package org.paceline.solve;
