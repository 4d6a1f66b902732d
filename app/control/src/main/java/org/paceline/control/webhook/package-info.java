/**
 * Who is told of changes over HTTP.
 *
 * <p>It uses the model, the ports and the audit.
 */
package org.paceline.control.webhook;
