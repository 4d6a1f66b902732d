/**
 * The controller in layers. From the bottom: model, port, audit and operations, settings with
 * webhook, policy and enrolment, inventory, scheme, planning, rollout, assurance, reservations,
 * explain, api. Each uses only those before it. Adapters in other modules implement the ports and
 * call the api.
 */
package org.paceline.control;
