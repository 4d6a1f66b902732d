/**
 * The seam between schemes: what a scheme is told, what it answers, and nothing of how.
 *
 * <p>It uses the model and the paths of the inventory. Each scheme has a package below this one.
 */
package org.paceline.control.scheme;
