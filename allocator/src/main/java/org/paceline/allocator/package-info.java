/** Turns allocation problems into solutions with certificates. */
package org.paceline.allocator;
