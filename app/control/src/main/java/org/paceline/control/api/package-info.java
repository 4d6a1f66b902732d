/**
 * What an operator can ask for or do, as a few services; REST, RESTCONF and the shell call these.
 *
 * <p>It uses every other package, and none uses it.
 */
package org.paceline.control.api;
