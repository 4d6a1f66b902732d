/** What the planner runs on: its threads and its log. */
package org.paceline.onos.plan;
