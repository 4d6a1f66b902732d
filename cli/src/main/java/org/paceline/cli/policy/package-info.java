/**
 * What is wanted: the versions of the policy, drafts, intents and the ceilings of their branches.
 */
package org.paceline.cli.policy;
