/** What the use cases need of the world; adapters in other rooms give it. */
package org.paceline.control.port;
