import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A link to a server on the loopback that can be cut, restored, and led to another one. */
export class TcpLink {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #isCut = false;

  private constructor(private target: number) {
    this.#server = createServer((socket) => this.#join(socket));
  }

  static async start(port: number): Promise<TcpLink> {
    const link = new TcpLink(port);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends all connections, and those that are opened from now on. */
  cut(): void {
    this.#isCut = true;
    this.#endAll();
  }

  restore(): void {
    this.#isCut = false;
  }

  /** Leads to another server from now on, and ends the connections to this one. */
  leadTo(port: number): void {
    this.target = port;
    this.#endAll();
  }

  /** Leads connections that are opened from now on to another server, and leaves the others alone. */
  leadNewTo(port: number): void {
    this.target = port;
  }

  stop(): void {
    this.#server.close();
    this.#endAll();
  }

  #join(client: Socket): void {
    if (this.#isCut) return void client.destroy();
    const upstream = connect(this.target, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
