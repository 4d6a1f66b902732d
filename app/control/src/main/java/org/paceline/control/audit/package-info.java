/**
 * Who changed what, when, for which ticket and with which role: the append-only log of changes.
 *
 * <p>It uses the model and the ports.
 */
package org.paceline.control.audit;
