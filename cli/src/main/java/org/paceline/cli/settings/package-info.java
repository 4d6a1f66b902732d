/** What can be set of the application itself. */
package org.paceline.cli.settings;
