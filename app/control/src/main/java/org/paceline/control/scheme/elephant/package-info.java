/**
 * The scheme of elephant isolation: bulk goes its own way, in queues of its own. Yan et al. 2013
 * (HNTES).
 */
package org.paceline.control.scheme.elephant;
