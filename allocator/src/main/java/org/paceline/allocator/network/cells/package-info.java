/**
 * Networks in which all applications of a type share one cell; uses groups, core, levels and
 * filling.
 */
package org.paceline.allocator.network.cells;
