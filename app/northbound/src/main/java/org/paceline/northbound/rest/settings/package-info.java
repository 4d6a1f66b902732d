/** The settings of the controller. */
package org.paceline.northbound.rest.settings;
