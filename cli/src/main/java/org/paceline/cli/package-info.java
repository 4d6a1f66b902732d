/**
 * Shell commands: parse, one call to a use case, print by a pure formatter. Here is what all of
 * them share; the packages below have the commands themselves, by what they are about.
 */
package org.paceline.cli;
