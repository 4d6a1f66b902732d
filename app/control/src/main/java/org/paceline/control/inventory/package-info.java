/** Who is here: conversations and agents. */
package org.paceline.control.inventory;
