/** Who talks, what each got and why; uses policy, whose intents are completed. */
package org.paceline.cli.conversations;
