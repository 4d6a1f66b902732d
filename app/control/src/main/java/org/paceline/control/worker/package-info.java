/** The threads on which control works. */
package org.paceline.control.worker;
