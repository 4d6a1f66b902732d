/**
 * What exporters send of the flows that they see: NetFlow 5 and 9 and IPFIX, decoded, and the
 * socket that receives it.
 */
package org.paceline.flowrecords;
