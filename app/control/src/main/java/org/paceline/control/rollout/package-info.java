/**
 * In which order a plan becomes true, so that no link is overloaded on the way; and loans of what
 * lies idle.
 */
package org.paceline.control.rollout;
