import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A link to a server that can fall silent: nothing passes any more, and neither end is told. */
export class SilentProxy {
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(port: number): Promise<SilentProxy> {
    const server = createServer();
    const proxy = new SilentProxy(server);
    server.on('connection', (client) => {
      const upstream = connect(port, '127.0.0.1');
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        proxy.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => other.destroy());
        socket.pipe(other);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Passes nothing on from now on, and takes nothing. */
  silence(): void {
    for (const socket of this.#sockets) {
      socket.unpipe().removeAllListeners('close').pause();
    }
  }

  stop(): void {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
