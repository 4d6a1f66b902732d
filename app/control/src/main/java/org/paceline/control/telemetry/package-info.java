/** What switches and agents count, and what it says of links and conversations. */
package org.paceline.control.telemetry;
