/**
 * Whether the network holds what was decided: read back, compared, put right, or said in an alarm.
 */
package org.paceline.control.assurance;
