/** What an operator can set: the one table of it, the values in force, and how they change. */
package org.paceline.control.settings;
