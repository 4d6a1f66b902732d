/** Where ONOS calls in. */
package org.paceline.onos.listen;
