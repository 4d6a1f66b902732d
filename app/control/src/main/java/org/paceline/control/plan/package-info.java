/** What is granted, and in which order it becomes true. */
package org.paceline.control.plan;
