import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SELF_SIGNED, SELF_SIGNED_BY_ANOTHER } from '../self-signed.js';
import { within } from '../until.js';

/** A request as it came. */
export interface SeenRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers a request. */
export type Reply = (response: ServerResponse, request: SeenRequest) => void;

/** A web server that does as the test says, path by path; what it was not told about is not there. */
export class Party {
  /** What was asked of it, in the order in which it came. */
  readonly requests: SeenRequest[] = [];
  readonly #replies = new Map<string, Reply>();

  private constructor(
    private readonly server: ReturnType<typeof createServer> | TlsServer,
    private readonly scheme: 'http' | 'https',
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#answer(request, response);
    });
    // Clients that do not trust its certificate hang up.
    server.on('tlsClientError', () => undefined);
  }

  static async start(scheme: 'http' | 'https' = 'http'): Promise<Party> {
    const server = scheme === 'http' ? createServer() : createTlsServer(SELF_SIGNED);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Party(server, scheme);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `${this.scheme}://${this.scheme === 'https' ? 'localhost' : '127.0.0.1'}:${this.port}`;
  }

  /** The paths that were asked for, in their order. */
  get paths(): readonly string[] {
    return this.requests.map(({ path }) => path);
  }

  /** Answers at a path; a path with `*` at its end stands for all that begin so. */
  at(path: string, reply: Reply): this {
    this.#replies.set(path, reply);
    return this;
  }

  /** Shows another certificate to who comes from now on. */
  changeCertificate(): void {
    (this.server as TlsServer).setSecureContext(SELF_SIGNED_BY_ANOTHER);
  }

  /** Stops without waiting for connections. */
  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await within(closed, 'the end of a party');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const seen = { method, path, headers, body: await text(request) };
    this.requests.push(seen);
    const [pathname = ''] = path.split('?');
    const prefix = [...this.#replies.keys()].find(
      (key) => key.endsWith('*') && pathname.startsWith(key.slice(0, -1)),
    );
    const reply = this.#replies.get(pathname) ?? this.#replies.get(prefix ?? '') ?? status(404);
    reply(response, seen);
  }
}

/** Answers with a JSON document. */
export function json(document: unknown, code = 200): Reply {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(typeof document === 'string' ? document : JSON.stringify(document));
  };
}

/** Answers with a status and a text that is no document. */
export function status(code: number, headers: { readonly [name: string]: string } = {}): Reply {
  return (response) => {
    response.writeHead(code, { 'content-type': 'text/plain', ...headers });
    response.end('nothing to see here');
  };
}

/** Sends whoever asks elsewhere. */
export function redirect(location: string, code = 302): Reply {
  return status(code, { location });
}

/** Takes the request and never answers. */
export function hang(): Reply {
  return () => undefined;
}
