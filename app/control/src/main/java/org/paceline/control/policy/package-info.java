/**
 * What operators want: the intent tree with its versions and drafts, and the ceilings of its
 * branches.
 *
 * <p>It uses the model, the ports and the audit.
 */
package org.paceline.control.policy;
