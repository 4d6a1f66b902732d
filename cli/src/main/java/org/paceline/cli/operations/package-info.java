/** What was changed and by whom, and what is under way. */
package org.paceline.cli.operations;
