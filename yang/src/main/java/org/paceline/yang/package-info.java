/**
 * Paceline's YANG modules and what is wanted as data of them.
 *
 * <p>yangtools is version 8: the last that runs on the JDK 11 of official ONOS images.
 */
package org.paceline.yang;
