/** RESTCONF (RFC 8040) for the use cases: decision 006. */
package org.paceline.northbound.restconf;
