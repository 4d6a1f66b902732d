/** Who talks. */
package org.paceline.control.conversations;
