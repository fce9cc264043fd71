import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** Says in each answer which process gave it, as `add_header` of nginx can. */
export const SERVED_BY = 'x-served-by';

/** A server behind the balancer. */
export interface Upstream {
  readonly name: string;
  readonly origin: string;
}

/** A plain balancer: each request goes to the next process, over a new connection. Who refuses the connection is passed over. */
export class Balancer {
  #turn = 0;
  readonly #server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));

  constructor(private readonly upstreams: readonly Upstream[]) {
    // A stream lasts as long as its client wants it.
    this.#server.requestTimeout = 0;
  }

  async listen(port: number): Promise<URL> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const found = await this.#connect();
    if (found === undefined) return void outgoing.writeHead(502).end();
    const { name, socket } = found;
    const { method = 'GET', url: path = '/' } = incoming;
    const headers = { ...incoming.headers, connection: 'close' };
    const forwarded = request({ method, path, headers, createConnection: () => socket });
    forwarded.on('response', (answer) => {
      const { connection: _, 'keep-alive': __, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, { ...others, [SERVED_BY]: name });
      outgoing.flushHeaders();
      // What breaks behind the balancer breaks before it.
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => socket.destroy());
    incoming.pipe(forwarded);
  }

  async #connect(): Promise<{ readonly name: string; readonly socket: Socket } | undefined> {
    const first = this.#turn++;
    const { length } = this.upstreams;
    for (let step = 0; step < length; step += 1) {
      const upstream = this.upstreams[(first + step) % length];
      if (upstream === undefined) continue;
      const { hostname, port } = new URL(upstream.origin);
      const socket = connect(Number(port), hostname);
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      if (isOpen) return { name: upstream.name, socket };
    }
    return undefined;
  }
}
