/** Allocation problems as JSON. */
package org.paceline.json.problem;
