/** Long work that clients need not wait for, and the log of changes. */
package org.paceline.northbound.rest.operations;
