/** Problems, solutions, utility tables and intent trees as JSON, and the default catalogue. */
package org.paceline.json;
