/** Why a conversation got what it got, and what more would cost whom. */
package org.paceline.control.explain;
