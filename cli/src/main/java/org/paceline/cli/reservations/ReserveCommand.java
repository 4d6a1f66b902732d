package org.paceline.cli.reservations;

import java.time.Duration;
import java.time.Instant;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.Given;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.intents.unit.DataRate;

/** Reserves a rate between two hosts, now or ahead; it ends by itself. */
@Service
@Command(
    scope = "paceline",
    name = "reserve",
    description = "Reserves a rate between two hosts, now or ahead; it ends by itself",
    detailedDescription = "classpath:help/reservations.txt")
public final class ReserveCommand extends AskCommand {
  @Argument(index = 3, name = "rate", required = true, description = "Such as 20mbit")
  String rate = "";

  @Argument(index = 4, name = "minutes", required = true, description = "For how long")
  String minutes = "";

  @Option(
      name = "--deadline",
      description = "When it must be over; a later start before it is offered where there is none")
  String deadline = "";

  @Override
  ReservationRequest requested(Instant begin) {
    Duration length = Given.minutes(minutes);
    return ReservationRequest.of(
        intent,
        from,
        to,
        DataRate.parse(rate),
        begin,
        length,
        deadline.isEmpty() ? begin.plus(length) : time("deadline", deadline));
  }

  @Override
  String name() {
    return "reserve";
  }
}
