/** What switches are asked directly, because ONOS does not tell it. */
package org.paceline.onos.openflow;
