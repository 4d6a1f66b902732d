/** How fast agents may speak, and what becomes of those that never stop. */
package org.paceline.gateway.flood;
