/** State as the YANG modules have it, of what the use cases know: read, and changed by nobody. */
package org.paceline.northbound.restconf.data;
