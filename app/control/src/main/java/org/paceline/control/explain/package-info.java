/**
 * Why a conversation got what it got, and what a change would cost whom.
 *
 * <p>It uses the planner and what comes before it.
 */
package org.paceline.control.explain;
