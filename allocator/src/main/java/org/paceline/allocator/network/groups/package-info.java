/**
 * Groups of like applications: the paths that are known between their ends, the steps that they may
 * choose from, and who has which. What all other packages of network speak of.
 */
package org.paceline.allocator.network.groups;
