/** What exporters report of the flows that they have seen. */
package org.paceline.intents.flow;
