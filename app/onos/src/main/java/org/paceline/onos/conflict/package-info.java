/** What other applications of this ONOS do on the same switches. */
package org.paceline.onos.conflict;
