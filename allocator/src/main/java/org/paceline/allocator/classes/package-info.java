/**
 * Service classes: how alpha-fair shares divide links among them, and how a class is split by what
 * its flows reach. Aljoby et al. 2021 (DiffPerf); uses the filling of maxmin.
 */
package org.paceline.allocator.classes;
