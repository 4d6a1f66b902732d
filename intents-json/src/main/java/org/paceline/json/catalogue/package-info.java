/** The tables that ship with the product. */
package org.paceline.json.catalogue;
