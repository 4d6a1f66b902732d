/**
 * What an operator can set: the one table of it, the values in force, and how they change.
 *
 * <p>It uses the model, the ports and the audit.
 */
package org.paceline.control.settings;
