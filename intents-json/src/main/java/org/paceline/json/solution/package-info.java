/** Solutions as JSON, with their certificates. */
package org.paceline.json.solution;
