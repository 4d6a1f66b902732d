/** Who is told of what happens. */
package org.paceline.northbound.rest.webhooks;
