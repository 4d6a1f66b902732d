/** How much an admin lets those ask for to whom a branch of the intent tree is delegated. */
package org.paceline.control.ceiling;
