/** The OpenAPI document of this REST. */
package org.paceline.northbound.rest.document;
