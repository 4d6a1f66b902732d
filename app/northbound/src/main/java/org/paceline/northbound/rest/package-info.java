/** REST under /onos/paceline/v1. */
package org.paceline.northbound.rest;
