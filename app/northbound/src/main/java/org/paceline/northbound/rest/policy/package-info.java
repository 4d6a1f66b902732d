/** Intents, versions and drafts of the policy, ceilings; naming rules. */
package org.paceline.northbound.rest.policy;
