import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CryptoKey } from 'jose';
import { DocumentEndpoint } from './document-endpoint.js';
import { IssuerKey, signToken } from './issuer-key.js';
import { within } from '../until.js';

/** Whom the tokens of an issuer are meant for where a test does not say. */
export const AUDIENCE = 'https://desk.example.com/mcp';

interface IssuerOptions {
  /** What the issuer's identifier has behind its origin. @default '' */
  readonly path?: string;
  /** Whom tokens are meant for. @default AUDIENCE */
  readonly audience?: string;
  /** The algorithm of its first key. @default 'ES256' */
  readonly algorithm?: string;
  /** Where its metadata is, behind the origin. @default by RFC 8414 §3.1 */
  readonly metadataPath?: string;
}

interface TokenOptions {
  /** Headers besides `alg`, `kid` and `typ`; what is `undefined` is left out. */
  readonly header?: { readonly [name: string]: unknown };
  /** What signs it. @default the first of `keys` */
  readonly key?: IssuerKey;
  /** Signs with this in the place of the key; `header` says by which algorithm. */
  readonly secret?: CryptoKey | Uint8Array;
}

/**
 * An authorization server as a resource server sees it, on a free port of 127.0.0.1: its metadata, its keys, and access
 * tokens of any shape.
 *
 * @example
 * const issuer = await TestIssuer.start();
 * const token = await issuer.token({ sub: 'ada', scope: 'desk:read' });
 * issuer.breakDown();
 * await issuer.stop();
 */
export class TestIssuer {
  /** The keys that the key set shows; the first one signs. */
  keys: readonly IssuerKey[] = [];
  /** Members of the key set that no key of `keys` stands for. */
  otherKeys: readonly unknown[] = [];
  /** What the metadata says; tests may add to it and change it. */
  readonly metadata: Record<string, unknown>;
  readonly keyEndpoint = new DocumentEndpoint(() => ({
    keys: [...this.keys.map(({ jwk }) => jwk), ...this.otherKeys],
  }));
  readonly metadataEndpoint = new DocumentEndpoint(() => this.metadata);
  /** Answers at all other paths. */
  answerElsewhere: (response: ServerResponse) => void = (response) => response.writeHead(404).end();
  /** The paths that were asked for, in order. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #metadataPath: string;

  private constructor(
    server: Server,
    /** The origin that the issuer listens at. */
    readonly origin: string,
    private readonly options: IssuerOptions,
  ) {
    const { path = '' } = options;
    this.#server = server.on('request', (request, response) => this.#handle(request, response));
    this.#metadataPath = options.metadataPath ?? `/.well-known/oauth-authorization-server${path}`;
    this.metadata = { issuer: this.url, jwks_uri: this.jwksUrl, response_types_supported: ['code'] };
  }

  static async start(options: IssuerOptions = {}): Promise<TestIssuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const issuer = new TestIssuer(server, `http://127.0.0.1:${port}`, options);
    issuer.keys = [await IssuerKey.create(options.algorithm)];
    return issuer;
  }

  /** The issuer's identifier: what `iss` of its tokens says. */
  get url(): string {
    return `${this.origin}${this.options.path ?? ''}`;
  }

  get jwksUrl(): string {
    return `${this.origin}/keys`;
  }

  /** How often the keys were asked for. */
  get fetches(): number {
    return this.keyEndpoint.fetches;
  }

  /** Signs a token that is good for five minutes, but for what the claims say; what is `undefined` is left out. */
  async token(
    claims: { readonly [name: string]: unknown } = {},
    { header, key = this.keys[0], secret }: TokenOptions = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const { audience = AUDIENCE } = this.options;
    const defaults = {
      iss: this.url,
      sub: 'ada',
      aud: audience,
      client_id: 'desk-app',
      iat: now,
      exp: now + 300,
    };
    if (key === undefined) throw new Error('The issuer has no key');
    const parts = {
      header: { alg: key.algorithm, kid: key.kid, typ: 'at+jwt', ...header },
      payload: { ...defaults, ...claims },
    };
    return signToken(parts, secret ?? key.privateKey);
  }

  /** Puts a fresh key in the place of all others, and gives it. */
  async rotate(algorithm?: string): Promise<IssuerKey> {
    const key = await IssuerKey.create(algorithm ?? this.options.algorithm);
    this.keys = [key];
    return key;
  }

  /** Answers everything with an error. */
  breakDown(status?: number): void {
    this.keyEndpoint.breakDown(status);
    this.metadataEndpoint.breakDown(status);
  }

  /** Answers as it should, again. */
  recover(): void {
    this.keyEndpoint.recover();
    this.metadataEndpoint.recover();
  }

  /** Stops without waiting for connections. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await within(closed, 'the end of the issuer');
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.requests.push(path);
    if (path === '/keys') this.keyEndpoint.handle(request, response);
    else if (path === this.#metadataPath) this.metadataEndpoint.handle(request, response);
    else this.answerElsewhere(response);
  }
}
