/** How what faces people and programs finds the use cases, and learns why there are none. */
package org.paceline.northbound.service;
