/** What monitoring systems collect. */
package org.paceline.northbound.metrics;
