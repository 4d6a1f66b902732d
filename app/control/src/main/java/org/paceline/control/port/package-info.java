/**
 * What the controller needs of the world; adapters in other modules give it.
 *
 * <p>It uses the model only.
 */
package org.paceline.control.port;
