/** Values as JSON, the same wherever they are shown. */
package org.paceline.northbound.rest.view;
