/** What is true: requested, computed, installed and measured, side by side. */
package org.paceline.control.proof;
