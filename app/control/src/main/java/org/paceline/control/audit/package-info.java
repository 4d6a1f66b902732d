/**
 * Who changed what, when, for which ticket and with which role: the log of changes, which is never
 * altered, and how many of them are kept.
 *
 * <p>It uses the model and the ports.
 */
package org.paceline.control.audit;
