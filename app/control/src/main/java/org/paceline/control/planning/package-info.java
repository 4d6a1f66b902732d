/** From events to plans in force: who asks, when it is planned, and what is written down of it. */
package org.paceline.control.planning;
