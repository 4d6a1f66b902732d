/**
 * What an operator can ask for or do; REST, RESTCONF and the shell call this and nothing else.
 *
 * <p>It uses every other package, and none uses it.
 */
package org.paceline.control.api;
