/**
 * What users experience, by the KPIs that their applications report, and why it may be too little.
 */
package org.paceline.control.experience;
