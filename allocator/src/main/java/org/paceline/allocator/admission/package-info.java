/** Who is served where not all can be: a choice around any method; uses path. */
package org.paceline.allocator.admission;
