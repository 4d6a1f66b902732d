/** Paceline as an ONOS application: one adapter a package, one wiring class. */
package org.paceline.onos;
