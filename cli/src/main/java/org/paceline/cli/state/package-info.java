/** How the whole is: the plan, the network and its agents, and what is wrong. */
package org.paceline.cli.state;
