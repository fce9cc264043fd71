import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';
import { asserting, nonEmptyString } from '../core/checks/option-checks.js';
import { optionGroup } from '../core/checks/option-group.js';
import { McpConfigurationError, type AuthOptions } from '../index.js';
import { BoundToken, ClientKey } from './bound-token.js';

/** A token's claims. A claim that is `undefined` is omitted. */
export interface FakeClaims {
  /** The token's subject. @default 'ada' */
  readonly sub?: unknown;
  /** The token's scopes, separated by spaces. @default none */
  readonly scope?: unknown;
  /** The token's audience. @default the `resourceUri` passed to `authOptions()` */
  readonly aud?: unknown;
  /** Any other claim. `iss`, `client_id`, `iat` and `exp` have defaults too. */
  readonly [claim: string]: unknown;
}

/** Options for creating a token, apart from its claims. */
export interface FakeTokenOptions {
  /**
   * Headers that add to or replace `alg`, `kid` and `typ`. A header that is `undefined` is omitted. `alg: 'none'`
   * leaves the token unsigned.
   */
  readonly header?: { readonly [name: string]: unknown };
}

/** Options of `FakeIssuer.start()`. */
export interface FakeIssuerOptions {
  /** The algorithm of the issuer's key. @default 'ES256' */
  readonly algorithm?: string;
}

export const FAKE_ISSUER = optionGroup<FakeIssuerOptions>({ algorithm: [nonEmptyString, 'ES256'] });

interface IssuerKey {
  readonly algorithm: string;
  readonly kid: string;
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

const LIFETIME_SECONDS = 300;

/**
 * An authorization server for tests, with metadata, keys, and access tokens of any shape. It listens on a free port
 * on 127.0.0.1.
 *
 * @example
 * const issuer = await FakeIssuer.start();
 * McpModule.forRoot({ serverInfo, auth: issuer.authOptions('https://desk.example.com/mcp') });
 * const token = await issuer.token({ sub: 'ada', scope: 'desk:read' });
 * await issuer.stop();
 *
 * @see RFC 8414, RFC 7517, RFC 9068
 */
export class FakeIssuer {
  readonly #resources = new Set<string>();

  private constructor(
    private readonly server: Server,
    private readonly key: IssuerKey,
    /** The issuer's identifier, which is `iss` in its tokens. */
    readonly url: string,
  ) {
    server.on('request', ({ url: path }, response) => this.#answer(path, response));
  }

  /** Starts an issuer with a new key. */
  static async start(options: FakeIssuerOptions = {}): Promise<FakeIssuer> {
    asserting(McpConfigurationError, () => FAKE_ISSUER.check('FakeIssuer.start', options));
    const key = await createKey(FAKE_ISSUER.build(options).algorithm);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new FakeIssuer(server, key, `http://127.0.0.1:${port}`);
  }

  /**
   * Returns the `auth` option for a server that accepts this issuer's tokens with that server's audience. The server
   * fetches keys each time a token names an unknown key, so a test sees the refusal immediately.
   */
  authOptions(resourceUri: string): AuthOptions {
    this.#resources.add(resourceUri);
    return { resourceUri, authorizationServers: [this.url], jwt: { jwks: { cooldownMs: 1 } } };
  }

  /**
   * Signs a token that is valid for five minutes, unless the claims or headers override that.
   *
   * @throws {TypeError} if the claims have no `aud`, and `authOptions()` was called for several servers
   */
  async token(claims: FakeClaims = {}, { header }: FakeTokenOptions = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const payload = {
      iss: this.url,
      sub: 'ada',
      client_id: 'test',
      iat: now,
      exp: now + LIFETIME_SECONDS,
      ...this.#selectAudience(claims),
      ...claims,
    };
    return this.#sign(payload, { alg: this.key.algorithm, kid: this.key.kid, typ: 'at+jwt', ...header });
  }

  /**
   * Signs a token that is bound to a key, for servers with `auth.dpop`.
   *
   * @param key the key. One client's tokens share one key @default a new key
   * @example
   * const ada = await issuer.boundToken({ sub: 'ada' });
   * const headers = await ada.headers({ url: 'https://desk.example.com/mcp' });
   *
   * @see RFC 9449 §6.1
   */
  async boundToken(claims: FakeClaims = {}, key?: ClientKey): Promise<BoundToken> {
    const binding = key ?? (await ClientKey.create());
    return new BoundToken(await this.token({ cnf: { jkt: binding.thumbprint }, ...claims }), binding);
  }

  /** Stops the issuer without waiting for connections. */
  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  #selectAudience(claims: FakeClaims): { readonly aud?: string } {
    if ('aud' in claims) return {};
    const [resource, ...others] = this.#resources;
    if (others.length > 0) {
      throw new TypeError(
        'The claim "aud" is required if an issuer serves several resources: set it to one of them',
      );
    }
    return resource === undefined ? {} : { aud: resource };
  }

  async #sign(payload: object, header: { readonly [name: string]: unknown }): Promise<string> {
    if (header['alg'] === 'none') return `${encode(header)}.${encode(payload)}.`;
    const { crit, alg } = header;
    const extensions = Array.isArray(crit) ? crit.map((name) => [String(name), false]) : [];
    return new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ ...header, alg: String(alg) })
      .sign(this.key.privateKey, { crit: Object.fromEntries(extensions) });
  }

  #answer(path: string | undefined, response: ServerResponse): void {
    const document = this.#findDocument(path);
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? { error: 'not_found' }));
  }

  #findDocument(path: string | undefined): object | undefined {
    if (path === '/keys') return { keys: [this.key.jwk] };
    if (path !== '/.well-known/oauth-authorization-server') return undefined;
    return { issuer: this.url, jwks_uri: `${this.url}/keys`, response_types_supported: ['code'] };
  }
}

async function createKey(algorithm: string): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const kid = randomUUID();
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' };
  return { algorithm, kid, jwk, privateKey };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
