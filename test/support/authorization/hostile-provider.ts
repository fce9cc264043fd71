import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IssuerKey, signToken, type TokenParts } from './issuer-key.js';

/** What the provider does wrong in one login. Members that are `undefined` are left out. */
export interface Misdeed {
  /** Parameters of the way back. */
  readonly callback?: Readonly<Record<string, string | undefined>>;
  readonly header?: TokenParts['header'];
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Members of the response with the tokens. */
  readonly tokens?: Readonly<Record<string, unknown>>;
  /** Signs the ID token. @default with the key of the provider */
  readonly sign?: (parts: TokenParts) => Promise<string>;
  /** Responds at the token endpoint in place of the provider. */
  readonly respond?: (response: ServerResponse) => void;
}

interface Login {
  readonly nonce: string | null;
  readonly misdeed: Misdeed;
}

/** An identity provider that logs everybody in, and does one thing wrong in each login. */
export class HostileProvider {
  /** What it does wrong in the logins that begin from now on. */
  misdeed: Misdeed = {};
  /** The paths that were asked for, in order. */
  readonly requests: string[] = [];
  readonly #logins = new Map<string, Login>();

  private constructor(
    private readonly server: Server,
    private readonly key: IssuerKey,
    readonly otherKey: IssuerKey,
    readonly issuer: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#respond(request, response);
    });
  }

  static async start(): Promise<HostileProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [key, otherKey] = [await IssuerKey.create(), await IssuerKey.create()];
    return new HostileProvider(server, key, otherKey, issuer);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer);
    this.requests.push(pathname);
    if (pathname === '/authorize') return this.#sendBack(searchParams, response);
    if (pathname === '/token') return this.#issue(await readForm(request), response);
    sendJson(response, pathname === '/jwks' ? { keys: [this.key.jwk] } : this.#metadata);
  }

  get #metadata(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }

  #sendBack(asked: URLSearchParams, response: ServerResponse): void {
    const { misdeed } = this;
    const code = randomUUID();
    this.#logins.set(code, { nonce: asked.get('nonce'), misdeed });
    const url = new URL(String(asked.get('redirect_uri')));
    const values = { code, state: asked.get('state') ?? '', iss: this.issuer, ...misdeed.callback };
    for (const [name, value] of Object.entries(values))
      if (value !== undefined) url.searchParams.set(name, value);
    response.writeHead(303, { location: url.href }).end();
  }

  async #issue(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const { nonce, misdeed } = this.#logins.get(String(form.get('code'))) ?? { nonce: null, misdeed: {} };
    if (misdeed.respond !== undefined) return misdeed.respond(response);
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + 300 };
    const parts = {
      header: { alg: 'ES256', kid: this.key.kid, ...misdeed.header },
      payload: withoutUndefined({
        iss: this.issuer,
        aud: 'desk-at-upstream',
        sub: 'ada',
        nonce,
        ...times,
        ...misdeed.claims,
      }),
    };
    const { sign = (one: TokenParts) => signToken(one, this.key.privateKey) } = misdeed;
    const tokens = {
      access_token: 'token-of-upstream',
      token_type: 'Bearer',
      id_token: await sign(parts),
      ...misdeed.tokens,
    };
    sendJson(response, withoutUndefined(tokens));
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function withoutUndefined(parts: object): object {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}
