/** Who may come in. */
package org.paceline.northbound.login;
