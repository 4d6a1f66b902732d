/** What the use cases need of the world; the adapters of app/onos give it. */
package org.paceline.control.port;
