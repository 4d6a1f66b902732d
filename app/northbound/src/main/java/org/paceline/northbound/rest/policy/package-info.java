/** Intents, versions and drafts of the policy, ceilings. */
package org.paceline.northbound.rest.policy;
