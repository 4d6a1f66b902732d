/**
 * Who is an elephant by the flow records of each ingress: what its exporter tells is summed up, and
 * once a day a list is made of it that outlives a restart. Yan et al. 2013, section II.
 */
package org.paceline.control.ingress;
