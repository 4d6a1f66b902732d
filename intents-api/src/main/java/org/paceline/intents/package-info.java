/** The language of Paceline's domain. */
package org.paceline.intents;
