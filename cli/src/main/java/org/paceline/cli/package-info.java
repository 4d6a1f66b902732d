/** Shell commands: parse, one call to a use case, print by a pure formatter. */
package org.paceline.cli;
