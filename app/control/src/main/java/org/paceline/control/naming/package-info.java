/**
 * Names what hosts without an agent send: an ordered list of rules, the first that matches decides.
 *
 * <p>It uses the model, ports, the log of changes and the policy.
 */
package org.paceline.control.naming;
