/** Intent trees as JSON. */
package org.paceline.json.tree;
