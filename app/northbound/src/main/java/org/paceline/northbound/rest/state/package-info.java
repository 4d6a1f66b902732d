/** What is there and how it is: plan, network, switches, alarms. */
package org.paceline.northbound.rest.state;
