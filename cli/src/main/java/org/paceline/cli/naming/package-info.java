/** By which rules flows of hosts without an agent are named. */
package org.paceline.cli.naming;
