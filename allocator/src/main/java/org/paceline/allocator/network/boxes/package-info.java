/** Branch and bound over the cells and paths of small networks whose delays depend on load. */
package org.paceline.allocator.network.boxes;
