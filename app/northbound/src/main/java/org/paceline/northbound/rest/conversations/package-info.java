/** Who talks to whom, with the proof of each, and the reasons. */
package org.paceline.northbound.rest.conversations;
