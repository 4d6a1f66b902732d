/**
 * Long work that its caller does not wait for.
 *
 * <p>It uses the model and the ports.
 */
package org.paceline.control.operations;
