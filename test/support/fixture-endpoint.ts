import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JsonObject } from './clients/message.js';
import { within } from './until.js';

/** A request as the endpoint got it. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The method of the message in the body. */
  readonly rpc: string | undefined;
  readonly message: JsonObject;
  /** How many requests with this message came before. */
  readonly count: number;
}

/** What is different from a healthy endpoint; each trait may be given the origin that it listens at. */
export interface Traits {
  /** Answers requests in its own way; those that it does not end are answered as they should. */
  readonly takeOver?: (request: Incoming, response: ServerResponse, origin: string) => boolean;
  /** Put over the headers of every answer of JSON-RPC. */
  readonly headers?: { readonly [name: string]: string };
  /** Asks for this token. */
  readonly token?: string;
  /** The challenge, where a token is asked for. `null` leaves it out. */
  readonly challenge?: (origin: string) => string | null;
  readonly resource?: (origin: string) => JsonObject;
  readonly server?: (origin: string) => JsonObject;
  readonly keys?: readonly JsonObject[];
  /** The result of `initialize`. */
  readonly handshake?: JsonObject;
  /** The result of `server/discover`. */
  readonly discovery?: JsonObject;
  /** What `tools/list` gives. @default no tools are declared */
  readonly tools?: unknown;
  /** `null` keeps no sessions. */
  readonly sessionId?: string | null;
  readonly allowsAnonymous?: 'origin' | 'host';
  /** The headers that browsers are allowed to send, and shown. */
  readonly cors?: { readonly allowed: string; readonly exposed: string };
}

const KEY = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', use: 'sig' };
const HEALTHY_CORS = {
  allowed:
    'Authorization, Content-Type, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID',
  exposed: 'Mcp-Session-Id, WWW-Authenticate',
};
const KEEP_ALIVE_MS = 200;
const CAPABLE = { capabilities: {}, serverInfo: { name: 'fixture', version: '1.0.0' } };

/** An endpoint of bare HTTP, healthy but for its traits: what a doctor may find where the library is not at work. */
export class FixtureEndpoint {
  readonly #server: Server;
  readonly #counts = new Map<string, number>();
  #isOpen = true;

  /** The requests that came, without what they carried. */
  readonly requests: Incoming[] = [];

  private constructor(
    private readonly traits: Traits,
    private readonly host: string,
  ) {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(traits: Traits = {}, host = '127.0.0.1'): Promise<FixtureEndpoint> {
    const endpoint = new FixtureEndpoint(traits, host);
    endpoint.#server.listen(0, host);
    await once(endpoint.#server, 'listening');
    return endpoint;
  }

  get origin(): string {
    return `http://${this.host}:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await within(once(this.#server, 'close'), 'the end of the endpoint');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const incoming = this.#read(request, await text(request));
    this.requests.push(incoming);
    if (this.traits.takeOver?.(incoming, response, this.origin)) return;
    if (this.#sendDocument(incoming, response)) return;
    if (incoming.path !== '/mcp') return void response.writeHead(404).end();
    if (!this.#passes(incoming, response)) return;
    if (incoming.method === 'POST') return this.#answer(incoming, response);
    if (this.#sessionId === null) return void response.writeHead(405).end();
    if (!this.#isInSession(incoming)) return void response.writeHead(404).end();
    if (incoming.method === 'DELETE') {
      this.#isOpen = false;
      return void response.writeHead(204).end();
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\ndata: \n\n');
    const keepAlive = setInterval(() => response.write(':\n\n'), KEEP_ALIVE_MS);
    response.once('close', () => clearInterval(keepAlive));
  }

  #read({ method = '', url = '', headers }: IncomingMessage, body: string): Incoming {
    const message = parseMessage(body);
    const rpc = message['method'] as string | undefined;
    const key = rpc ?? method;
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return { method, path: url, headers, rpc, message, count };
  }

  get #sessionId(): string | null {
    return this.traits.sessionId === undefined ? 'session-1' : this.traits.sessionId;
  }

  #isInSession({ headers }: Incoming): boolean {
    return this.#isOpen && headers['mcp-session-id'] === this.#sessionId;
  }

  #sendDocument({ path }: Incoming, response: ServerResponse): boolean {
    const { origin, traits } = this;
    if (traits.token === undefined) return false;
    const resource = { resource: this.url, authorization_servers: [origin], ...traits.resource?.(origin) };
    const server = {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      jwks_uri: `${origin}/keys`,
      code_challenge_methods_supported: ['S256'],
      ...traits.server?.(origin),
    };
    const document = new Map<string, JsonObject>([
      ['/.well-known/oauth-protected-resource/mcp', resource],
      ['/.well-known/oauth-protected-resource', resource],
      ['/.well-known/oauth-authorization-server', server],
      ['/keys', { keys: traits.keys ?? [KEY] }],
    ]).get(path);
    if (document === undefined) return false;
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    response.end(JSON.stringify(document));
    return true;
  }

  /** Lets browsers ask, and refuses strangers and those that bring no token. */
  #passes({ method, headers }: Incoming, response: ServerResponse): boolean {
    const { traits, origin } = this;
    const { allowed, exposed } = traits.cors ?? HEALTHY_CORS;
    const isKnown = headers.origin === undefined || headers.origin === 'http://localhost:6274';
    if (headers.origin !== undefined && isKnown) {
      response.setHeader('access-control-allow-origin', headers.origin);
      if (exposed !== '') response.setHeader('access-control-expose-headers', exposed);
    }
    if (method === 'OPTIONS') {
      return this.#refuse(response, 204, { 'access-control-allow-headers': allowed });
    }
    if (!isKnown && traits.allowsAnonymous !== 'origin') return this.#refuse(response, 403);
    const isOwn = headers.host === new URL(origin).host;
    if (!isOwn && traits.allowsAnonymous !== 'host') return this.#refuse(response, 403);
    if (traits.token === undefined || headers.authorization === `Bearer ${traits.token}`) return true;
    const named = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="desk:read"`;
    const challenge = traits.challenge === undefined ? named : traits.challenge(origin);
    return this.#refuse(response, 401, challenge === null ? {} : { 'www-authenticate': challenge });
  }

  #refuse(response: ServerResponse, status: number, headers: { [name: string]: string } = {}): false {
    response.writeHead(status, headers).end();
    return false;
  }

  #answer(incoming: Incoming, response: ServerResponse): void {
    const { rpc, message } = incoming;
    const { handshake, discovery, tools } = this.traits;
    const capable = tools === undefined ? CAPABLE : { ...CAPABLE, capabilities: { tools: {} } };
    const { protocolVersion } = (message['params'] ?? {}) as JsonObject;
    const send = (result: JsonObject, extra = {}) => {
      response.writeHead(200, { 'content-type': 'application/json', ...extra, ...this.traits.headers });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
    };
    if (rpc === 'server/discover')
      return send(discovery ?? { supportedVersions: ['2026-07-28'], ...capable });
    if (rpc === 'initialize') {
      this.#isOpen = true;
      const session = this.#sessionId === null ? {} : { 'mcp-session-id': this.#sessionId };
      return send(handshake ?? { protocolVersion, ...capable }, session);
    }
    if (this.#sessionId !== null && !this.#isInSession(incoming)) return void response.writeHead(404).end();
    if (message['id'] === undefined) return void response.writeHead(202).end();
    send(rpc === 'tools/list' ? { tools } : {});
  }
}

/** What is no JSON is nothing that the fixture tells apart. */
function parseMessage(body: string): JsonObject {
  try {
    return (JSON.parse(body) ?? {}) as JsonObject;
  } catch {
    return {};
  }
}
