/** What operators read in the controller's log. */
package org.paceline.northbound.log;
