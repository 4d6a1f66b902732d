/** What ports carry, of whom, and how much of each link is used for that. */
package org.paceline.control.traffic;
