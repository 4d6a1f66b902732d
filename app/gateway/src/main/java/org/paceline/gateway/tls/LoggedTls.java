package org.paceline.gateway.tls;

import io.grpc.netty.shaded.io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import io.grpc.netty.shaded.io.netty.util.AsciiString;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * gRPC's TLS, with a line in the log on each caller whom it does not let in: itself it says none.
 */
final class LoggedTls implements InternalProtocolNegotiator.ProtocolNegotiator {
  private static final Logger log = LoggerFactory.getLogger(LoggedTls.class);

  /** Of what is no TLS at all the reason shows every byte that came. */
  private static final int LONGEST = 200;

  private final Supplier<SslContext> context;

  /**
   * @param context asked for at each connection
   */
  LoggedTls(Supplier<SslContext> context) {
    this.context = context;
  }

  @Override
  public AsciiString scheme() {
    return tls().scheme();
  }

  @Override
  public ChannelHandler newHandler(GrpcHttp2ConnectionHandler grpc) {
    return new Watch(tls().newHandler(grpc));
  }

  private InternalProtocolNegotiator.ProtocolNegotiator tls() {
    return InternalProtocolNegotiators.serverTls(context.get());
  }

  /** Stands before gRPC's handler until that has begun the handshake. */
  private static final class Watch extends ChannelInboundHandlerAdapter {
    private final ChannelHandler watched;

    Watch(ChannelHandler watched) {
      this.watched = watched;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      context.pipeline().addAfter(context.name(), null, watched);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
      super.channelActive(context);
      look(context);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
      super.userEventTriggered(context, event);
      look(context);
    }

    private void look(ChannelHandlerContext context) {
      SslHandler handshaking = context.pipeline().get(SslHandler.class);
      if (handshaking == null || context.isRemoved()) {
        return;
      }
      SocketAddress peer = context.channel().remoteAddress();
      context.pipeline().remove(this);
      handshaking
          .handshakeFuture()
          .addListener(
              done -> {
                if (!done.isSuccess()) {
                  refused(peer, done.cause());
                }
              });
    }
  }

  private static void refused(SocketAddress peer, Throwable why) {
    String reason = String.valueOf(RootCause.of(why).getMessage());
    log.warn(
        "A caller from {} is not let in: {}. Maybe it is an agent without a certificate of this"
            + " tlsDirectory's authority, or with one whose time is over.",
        String.valueOf(peer).replaceFirst("^/", ""),
        reason.substring(0, Math.min(reason.length(), LONGEST)));
  }

  @Override
  public void close() {
    // A negotiator of gRPC's holds nothing but its context.
  }
}
