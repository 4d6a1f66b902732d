/** What each request passes: who sends it, may it, was it here before; and how it is refused. */
package org.paceline.northbound.rest.request;
