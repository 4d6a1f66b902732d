/** The data resource: paths into it, what is read of it and written to it. */
package org.paceline.yang.restconf.data;
