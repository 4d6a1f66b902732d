/** What switches count, and what it says of links. */
package org.paceline.control.telemetry;
