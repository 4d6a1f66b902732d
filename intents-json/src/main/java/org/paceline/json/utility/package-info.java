/** Utility functions as JSON. */
package org.paceline.json.utility;
