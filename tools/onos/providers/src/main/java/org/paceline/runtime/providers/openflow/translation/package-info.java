/**
 * ONOS's rules, meters and ports in OpenFlow's words, and back. Nothing here sends a message or
 * waits for one.
 */
package org.paceline.runtime.providers.openflow.translation;
