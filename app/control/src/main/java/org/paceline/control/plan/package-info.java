/** What is granted, as values: plans, how they differ, and by which settings they are made. */
package org.paceline.control.plan;
