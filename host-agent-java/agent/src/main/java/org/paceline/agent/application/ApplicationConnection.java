package org.paceline.agent.application;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.SimpleChannelInboundHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** One connection: a line, its answer, the next line. */
final class ApplicationConnection extends SimpleChannelInboundHandler<Lines.Line> {
  // A claim has all sockets read anew: one that claims without end must not keep the agent busy.
  private static final int PAUSE_AFTER_CLAIM_MILLIS = 20;
  private static final Gson GSON = new Gson();

  private final Connections connections;
  private final EpollDomainSocketChannel channel;
  private final RequestHandler requests;
  private Optional<Applicant> who = Optional.empty();

  ApplicationConnection(
      Connections connections, EpollDomainSocketChannel channel, RequestHandler requests) {
    this.connections = connections;
    this.channel = channel;
    this.requests = requests;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws IOException {
    try {
      who = Optional.of(connections.enter(channel.peerCredentials()));
      context.read();
    } catch (IllegalArgumentException e) {
      write(context, error(e)).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, Lines.Line line) {
    Request request;
    try {
      if (line.tooLong()) {
        throw new IllegalArgumentException(
            "The line is longer than " + Lines.LONGEST + " bytes. Maybe a line break is missing.");
      }
      request = RequestReader.parse(line.text());
    } catch (IllegalArgumentException e) {
      answer(context, error(e), 0);
      return;
    }
    int pause = request instanceof Request.Claim ? PAUSE_AFTER_CLAIM_MILLIS : 0;
    requests
        .take(who.orElseThrow(), request)
        .whenComplete(
            (answer, failure) ->
                context
                    .executor()
                    .execute(
                        () ->
                            answer(
                                context,
                                Optional.ofNullable(failure)
                                    .map(ApplicationConnection::error)
                                    .orElse(answer),
                                pause)));
  }

  private static void answer(ChannelHandlerContext context, JsonObject answer, int pauseMillis) {
    write(context, answer);
    context.executor().schedule(context::read, pauseMillis, TimeUnit.MILLISECONDS);
  }

  private static ChannelFuture write(ChannelHandlerContext context, JsonObject answer) {
    return context.writeAndFlush(
        ByteBufUtil.writeUtf8(context.alloc(), GSON.toJson(answer) + "\n"));
  }

  private static JsonObject error(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException
            ? Optional.ofNullable(failure.getCause()).orElse(failure)
            : failure;
    JsonObject error = new JsonObject();
    error.addProperty("error", String.valueOf(cause.getMessage()));
    return error;
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    who.ifPresent(
        applicant -> {
          connections.leave(applicant);
          requests.left(applicant);
        });
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // The other end is gone in the middle of something.
    context.close();
  }
}
