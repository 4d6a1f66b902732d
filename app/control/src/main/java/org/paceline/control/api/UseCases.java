package org.paceline.control.api;

import org.paceline.control.audit.ChangeLog;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.control.enrolment.HostCertificates;
import org.paceline.control.ingress.IngressLists;
import org.paceline.control.operations.Operations;
import org.paceline.control.settings.Settings;
import org.paceline.control.webhook.Webhooks;

/**
 * All services, as the running application offers them. What faces people and programs is handed
 * this once, where it is put together; each part of it takes only the service that it uses.
 */
public interface UseCases {
  /** What is wanted. */
  PolicyService policy();

  /** What reports teach of utility functions. */
  LearningService learning();

  /** Who talks, and why each got what it got. */
  ConversationService conversations();

  /** By which rules flows of hosts without an agent are named. */
  NamingService naming();

  /** How it goes. */
  StateService state();

  /** The network. */
  NetworkService network();

  /** Who is an elephant by the flow records of each ingress. */
  IngressLists elephants();

  /** Rates that are asked for ahead. */
  ReservationService reservations();

  /** Problems to be solved beside the plan. */
  SolverService solver();

  /** What is kept of requests. */
  RequestService requests();

  /** What was asked for by clients that do not wait for it. */
  Operations operations();

  /** Every change, its author and its ticket. */
  ChangeLog changes();

  /** What can be set, and what it is. */
  Settings settings();

  /** Who is told of changes. */
  Webhooks webhooks();

  /** By what hosts may enrol. */
  EnrolmentTokens enrolment();

  /** By what hosts are let in. */
  HostCertificates certificates();
}
