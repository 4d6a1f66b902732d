/** Who changed what, when, and for which ticket: the append-only log of all changes. */
package org.paceline.control.change;
