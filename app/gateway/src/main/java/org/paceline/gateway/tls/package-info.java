/** By what the controller and the agents know each other: certificates of the house's authority. */
package org.paceline.gateway.tls;
