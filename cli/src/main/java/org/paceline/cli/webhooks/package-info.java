/** Who is told of changes over HTTP. */
package org.paceline.cli.webhooks;
