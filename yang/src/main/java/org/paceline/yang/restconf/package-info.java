/**
 * RESTCONF (RFC 8040) over the effective model, without a web server: a request in, a reply out.
 */
package org.paceline.yang.restconf;
