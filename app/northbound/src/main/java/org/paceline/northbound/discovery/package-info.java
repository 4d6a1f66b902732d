/** How clients find RESTCONF without knowing where it is. */
package org.paceline.northbound.discovery;
