/** Requests, replies and errors, and what their headers say. */
package org.paceline.yang.restconf.message;
