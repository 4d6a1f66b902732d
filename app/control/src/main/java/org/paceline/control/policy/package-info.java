/** What is wanted: the operator's intent tree. */
package org.paceline.control.policy;
