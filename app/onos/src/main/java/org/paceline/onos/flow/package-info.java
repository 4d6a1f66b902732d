/** Flow rules of conversations. */
package org.paceline.onos.flow;
