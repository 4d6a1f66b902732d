/** Tells receivers of changes by HTTP. */
package org.paceline.northbound.webhook;
