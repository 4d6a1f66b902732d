/** For applications that say themselves what they are doing. */
package org.paceline.client;
