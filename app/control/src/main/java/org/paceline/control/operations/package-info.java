/** Long work that its caller does not wait for. */
package org.paceline.control.operations;
