package org.paceline.gateway;

import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The threads that the agents' streams are served by. gRPC's own are shared and end some time after
 * the server, when OSGi has already taken their classes away; these have ended when close returns.
 */
final class GatewayThreads implements AutoCloseable {
  private static final int LOOPS = 2;
  private static final int SECONDS_TO_END = 2;

  private final EventLoopGroup loops = new NioEventLoopGroup(LOOPS);
  private final ExecutorService calls =
      Executors.newCachedThreadPool(task -> new Thread(task, "paceline-agents"));

  NettyServerBuilder serve(NettyServerBuilder server) {
    return server
        .channelType(NioServerSocketChannel.class)
        .bossEventLoopGroup(loops)
        .workerEventLoopGroup(loops)
        .executor(calls);
  }

  /**
   * Takes from the calling thread what Netty keeps there: buffers and other caches, whose classes
   * are the bundle's. ONOS's threads live longer than the bundle, and each would hold its class
   * loader for good. For every way in here that is not on a thread of ours.
   */
  static void forgetCaller() {
    FastThreadLocal.removeAll();
  }

  @Override
  public void close() {
    calls.shutdown();
    loops.shutdownGracefully(0, SECONDS_TO_END, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
