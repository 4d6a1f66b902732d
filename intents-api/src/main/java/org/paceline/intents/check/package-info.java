/**
 * Checks solutions and their certificates from the problem alone. No code of any solver is used
 * here, and no solver uses code from here: what both got wrong together would go unseen.
 */
package org.paceline.intents.check;
