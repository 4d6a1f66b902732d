/**
 * Puts plans into effect in a safe order. The planner, which runs plan after plan, lives here
 * because it drives both.
 *
 * <p>It uses the planning and what comes before it.
 */
package org.paceline.control.rollout;
