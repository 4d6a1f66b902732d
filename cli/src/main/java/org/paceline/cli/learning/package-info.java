/** What reports teach of utility functions. */
package org.paceline.cli.learning;
