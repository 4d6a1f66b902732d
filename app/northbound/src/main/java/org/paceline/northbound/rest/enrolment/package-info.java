/** By what hosts may enrol, over REST. */
package org.paceline.northbound.rest.enrolment;
