/** Problems that are solved beside the plan. */
package org.paceline.northbound.rest.solve;
