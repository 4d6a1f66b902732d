/** By what hosts may enrol. */
package org.paceline.cli.enrolment;
