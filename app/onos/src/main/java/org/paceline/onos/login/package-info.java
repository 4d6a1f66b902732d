/** Who may come in. */
package org.paceline.onos.login;
