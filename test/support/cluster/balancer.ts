import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Dice } from '../dice.js';

/** Chooses among several servers for one request: gives an index. */
export type Choice = (count: number) => number;

/** Chooses any of them, in an order that is the same for a seed. */
export function atRandom(seed?: number): Choice {
  const dice = new Dice(seed);
  return (count) => dice.throw(count);
}

/** Chooses any but the one that was chosen last. */
export function neverTwice(seed?: number): Choice {
  const dice = new Dice(seed);
  let last = 0;
  return (count) => (last = (last + 1 + dice.throw(count - 1)) % count);
}

/** Chooses these, in turn, and then again from the first. */
export function inOrder(...turns: readonly number[]): Choice {
  let turn = 0;
  return () => turns[turn++ % turns.length] ?? 0;
}

/** A request that was passed on. */
export interface Passed {
  readonly httpMethod: string;
  /** The index of the server that got it. */
  readonly server: number;
}

/** Of one connection alone (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection'];

/**
 * A plain balancer before several servers: it chooses for each request, opens a connection for each, and knows nothing of clients. A server
 * that refuses the connection is passed over. Whatever breaks after that breaks for the client too.
 */
export class Balancer {
  /** What was passed on so far. */
  readonly passed: Passed[] = [];
  readonly #server: Server;
  readonly #out = new Set<number>();

  private constructor(
    /** Where the servers are; one may be put in the place of another. */
    readonly origins: string[],
    /** How the next one is chosen; a test may change it. */
    public choose: Choice,
  ) {
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
    // Streams that are open for long are what it is for.
    Object.assign(this.#server, { requestTimeout: 0, keepAliveTimeout: 60_000 });
  }

  static async start(origins: readonly string[], choose: Choice = atRandom()): Promise<Balancer> {
    const balancer = new Balancer([...origins], choose);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The MCP endpoint of the server that they are together. */
  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** Sends nothing more to a server, as one does whose readiness fails. */
  leaveOut(server: number): void {
    this.#out.add(server);
  }

  takeIn(server: number): void {
    this.#out.delete(server);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const found = await this.#connect();
    if (found === undefined) return void outgoing.writeHead(502).end();
    const { server, socket } = found;
    const { method = 'GET', url = '/' } = incoming;
    this.passed.push({ httpMethod: method, server });
    const headers = [...withoutHopByHop(incoming.rawHeaders), 'Connection', 'close'];
    const options: RequestOptions = { method, path: url, headers, createConnection: () => socket };
    const forwarded = request({ ...options, setHost: false });
    forwarded.on('response', (answer) => passBack(answer, outgoing));
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => socket.destroy());
    incoming.pipe(forwarded);
  }

  async #connect(): Promise<{ readonly server: number; readonly socket: Socket } | undefined> {
    const chosen = this.choose(this.origins.length);
    const turns = this.origins.map((_, turn) => (chosen + turn) % this.origins.length);
    for (const server of turns.filter((turn) => !this.#out.has(turn))) {
      const { port, hostname } = new URL(this.origins[server] ?? '');
      const socket = connect(Number(port), hostname);
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      if (isOpen) return { server, socket };
    }
    return undefined;
  }
}

function passBack(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 502, withoutHopByHop(answer.rawHeaders));
  outgoing.flushHeaders();
  answer.on('error', () => outgoing.destroy());
  answer.pipe(outgoing);
}

function withoutHopByHop(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((text, index) => {
    if (index % 2 === 1 || HOP_BY_HOP.includes(text.toLowerCase())) return [];
    return [text, rawHeaders[index + 1] ?? ''];
  });
}
