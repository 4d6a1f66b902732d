package org.paceline.agent.application;

import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.buffer.UnpooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.flow.FlowControlHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.paceline.agent.runtime.CannotRun;

/**
 * Where applications say what they are doing: a Unix socket, a line of JSON each way. Netty's, for
 * Java's own does not tell which process is at the other end.
 */
public final class ApplicationSocket implements Closeable {
  private final Path file;
  private final EventLoopGroup loop;
  private final CompletableFuture<RequestHandler> requests = new CompletableFuture<>();
  private final Channel server;

  /**
   * Makes the socket; who connects waits for {@link #serve}.
   *
   * @param userNames by their numbers
   * @throws CannotRun where it cannot be made, or another agent answers there
   */
  public ApplicationSocket(Path file, IntFunction<String> userNames) {
    if (!Epoll.isAvailable()) {
      throw new CannotRun(
          "Who connects to (applications) cannot be told on this machine: "
              + Epoll.unavailabilityCause().getMessage()
              + ". Maybe leave (applications) out.");
    }
    try {
      makeRoom(file);
    } catch (IOException e) {
      throw refused(file, e);
    }
    this.file = file;
    this.loop = new EpollEventLoopGroup(1, new DefaultThreadFactory("applications", true));
    Connections connections = new Connections(userNames);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop)
            .channel(EpollServerDomainSocketChannel.class)
            // A few short lines: pools would take more memory than they save time.
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.ALLOCATOR, new UnpooledByteBufAllocator(false))
            .childOption(ChannelOption.ALLOCATOR, new UnpooledByteBufAllocator(false))
            // A line is read when the one before has been answered.
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(
                new ChannelInitializer<DomainSocketChannel>() {
                  @Override
                  protected void initChannel(DomainSocketChannel channel) {
                    channel
                        .pipeline()
                        .addLast(new Lines(), new FlowControlHandler())
                        .addLast(
                            new ApplicationConnection(
                                connections, (EpollDomainSocketChannel) channel, requests.join()));
                  }
                });
    ChannelFuture bound =
        bootstrap.bind(new DomainSocketAddress(file.toFile())).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loop.shutdownGracefully();
      throw refused(file, bound.cause());
    }
    this.server = bound.channel();
    if (!file.toFile().setWritable(true, false) || !file.toFile().setReadable(true, false)) {
      close();
      throw refused(file, new IOException("its rights cannot be set"));
    }
  }

  private static CannotRun refused(Path file, Throwable cause) {
    return new CannotRun(
        "The socket ("
            + file
            + ") of (applications) cannot be made: "
            + cause.getMessage()
            + ". Maybe choose a shorter path in a directory that is there.");
  }

  public void serve(RequestHandler to) {
    requests.complete(to);
    server.config().setAutoRead(true);
  }

  /** Of an agent that was killed, the file is still there; whatever else it is stays. */
  private static void makeRoom(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isOther()) {
      throw new CannotRun(
          "The socket (" + file + ") of (applications) is a file already. Maybe choose another.");
    }
    try (SocketChannel other = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      throw new CannotRun(
          "Another agent answers at the socket ("
              + file
              + ") of (applications). Maybe give each its own.");
    } catch (IOException e) {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void close() {
    loop.shutdownGracefully();
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // One that stays does no harm: the next agent takes its place.
      return;
    }
  }
}
