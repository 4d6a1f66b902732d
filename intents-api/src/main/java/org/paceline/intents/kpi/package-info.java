/** What applications measure of how they fare, and what that is worth to their users. */
package org.paceline.intents.kpi;
