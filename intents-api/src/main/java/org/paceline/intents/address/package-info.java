/** Addresses of IP and prefixes of them. */
package org.paceline.intents.address;
