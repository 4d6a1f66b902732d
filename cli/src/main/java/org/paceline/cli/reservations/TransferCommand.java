package org.paceline.cli.reservations;

import java.time.Instant;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.Given;
import org.paceline.control.reservations.ReservationRequest;

/** Reserves what it takes to send so many bytes by a deadline. */
@Service
@Command(
    scope = "paceline",
    name = "transfer",
    description = "Reserves what it takes to send so many bytes between two hosts by a deadline",
    detailedDescription = "classpath:help/reservations.txt")
public final class TransferCommand extends AskCommand {
  @Argument(index = 3, name = "bytes", required = true, description = "Such as 20GB or 500MB")
  String bytes = "";

  @Argument(
      index = 4,
      name = "deadline",
      required = true,
      description = "When all must be sent, such as 2026-12-02T06:00:00Z")
  String deadline = "";

  @Override
  ReservationRequest requested(Instant begin) {
    return ReservationRequest.transfer(
        intent, from, to, Given.bytes(bytes), begin, time("deadline", deadline));
  }

  @Override
  String name() {
    return "transfer";
  }
}
