/** The operator's state in ONOS's distributed primitives. */
package org.paceline.onos.store;
