/** Paceline's one JSON form, a package for each thing that it writes down. */
package org.paceline.json;
