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
import java.util.function.Supplier;
import org.paceline.control.inventory.BoundedJournal;

/**
 * gRPC's TLS, with a line in the log on callers whom it does not let in: itself it says none. Any
 * caller may be one of them as often as it likes, so each has its bound.
 */
final class LoggedTls implements InternalProtocolNegotiator.ProtocolNegotiator {
  /** Of what is no TLS at all the reason shows every byte that came. */
  private static final int LONGEST = 200;

  private final Supplier<SslContext> context;
  private final BoundedJournal journal;

  /**
   * @param context asked for at each connection
   */
  LoggedTls(Supplier<SslContext> context, BoundedJournal journal) {
    this.context = context;
    this.journal = journal;
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
  private final class Watch extends ChannelInboundHandlerAdapter {
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
      Peer peer = Peer.of(context.channel().remoteAddress());
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

  private void refused(Peer peer, Throwable why) {
    String reason = String.valueOf(RootCause.of(why).getMessage());
    journal.warn(
        peer.host(),
        "A caller from "
            + peer
            + " is not let in: "
            + reason.substring(0, Math.min(reason.length(), LONGEST))
            + ". Maybe it is an agent without a certificate of this tlsDirectory's authority, or"
            + " with one whose time is over.");
  }

  @Override
  public void close() {
    // A negotiator of gRPC's holds nothing but its context.
  }
}
