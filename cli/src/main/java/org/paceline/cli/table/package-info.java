/**
 * What a command prints: rows under headings, in words a person reads, coloured for a terminal;
 * uses nothing else of the shell.
 */
package org.paceline.cli.table;
