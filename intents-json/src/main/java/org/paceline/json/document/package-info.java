/** Reading any document: its limits, its faults with their places, units. */
package org.paceline.json.document;
