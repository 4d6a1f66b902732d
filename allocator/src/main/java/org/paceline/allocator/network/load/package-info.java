/** Networks whose delays depend on load; uses groups, levels and boxes. */
package org.paceline.allocator.network.load;
