/** Which flows of a network are elephants, from flow records in files or of exporters. */
package org.paceline.elephants;
