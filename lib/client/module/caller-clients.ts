import { LRUCache } from 'lru-cache';
import { findAuthority } from '../../core/oauth/access-token.js';
import type { AuthorizationChallenge } from '../authorization/authorization-headers.js';
import type { TokenSource } from '../authorization/token-source.js';
import { CallerUnknownError, McpClientConfigurationError } from './errors.js';
import type { McpQuestionContext } from './handlers/input-request.decorators.js';
import type { McpClient } from './mcp-client.js';
import type { ClientSettings } from './options/client-settings.js';

/** The token that a client requests for another server. */
export interface CallerExchange {
  readonly audience?: string | readonly string[] | undefined;
  readonly resource?: string | readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** A token from an earlier exchange that the server refused. A new one replaces it. */
  readonly refusedToken?: string | undefined;
}

/** The caller, as named in the token. */
export interface CallerClaims {
  readonly iss?: string | undefined;
  readonly sub?: string | undefined;
  readonly clientId?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** All other claims. */
  readonly extra?: { readonly [name: string]: unknown } | undefined;
}

/**
 * A caller on whose behalf a client acts, such as a call's context.
 *
 * @see RFC 8693
 */
export interface McpCaller {
  readonly auth: {
    readonly claims: CallerClaims | undefined;
    /** How the caller was recognized, which distinguishes callers whose tokens have no issuer. @default unknown */
    readonly authentication?: { readonly method: string } | undefined;
    /** Exchanges the caller's token for a token for another server. */
    exchange(request: CallerExchange): Promise<string>;
  };
}

/** The minimum time between two replacements for a refused token, in milliseconds. */
const RENEW_PAUSE_MS = 10_000;

/** Exchanges a caller's token for new ones. The caller's own token is not sent to the server (RFC 8693). */
class CallerTokenSource implements TokenSource {
  #auth: McpCaller['auth'];
  /** The next exchange to request. */
  #wish: CallerExchange;
  #refusedToken: string | undefined;
  /** The token that replaced the last refused one, and when. */
  #replacement: { readonly token: string; readonly gotAt: number } | undefined;

  constructor(
    { auth }: McpCaller,
    private readonly request: CallerExchange,
  ) {
    this.#auth = auth;
    this.#wish = request;
  }

  /** Uses the caller's latest token, which expires last. */
  renew({ auth }: McpCaller): void {
    this.#auth = auth;
  }

  async token(): Promise<string> {
    const wish = this.#wish;
    this.#wish = this.request;
    const token = await this.#auth.exchange(wish);
    if (wish.refusedToken !== undefined) this.#replacement = { token, gotAt: performance.now() };
    return token;
  }

  /** Requests a replacement for a refused token. If the replacement is refused too, another would not help. */
  async respond({ status, refusedToken }: AuthorizationChallenge): Promise<void> {
    if (status !== 401 || refusedToken === undefined || refusedToken === this.#refusedToken) return;
    const { token, gotAt = -Infinity } = this.#replacement ?? {};
    if (token === refusedToken && performance.now() - gotAt < RENEW_PAUSE_MS) return;
    this.#refusedToken = refusedToken;
    this.#wish = { ...this.request, refusedToken };
  }
}

interface CallerClient {
  readonly client: McpClient;
  /** The caller, whatever the token allows. */
  readonly person: string;
  /** Absent if the caller's token is not exchanged. */
  readonly tokens: CallerTokenSource | undefined;
}

/** Creates a client from its settings. */
type CreateClient = (settings: ClientSettings) => McpClient;

/**
 * The clients that act on behalf of callers at one server. Each caller has its own client, which shares nothing with
 * the others.
 */
export class CallerClients {
  readonly #clients: LRUCache<string, CallerClient>;
  /** Retired clients with in-flight calls. */
  readonly #leaving = new Set<McpClient>();

  constructor(
    private readonly settings: ClientSettings,
    private readonly create: CreateClient,
  ) {
    const { maximum, idleTimeoutMs } = settings.callers;
    this.#clients = new LRUCache({
      max: maximum,
      ttl: idleTimeoutMs,
      ttlAutopurge: true,
      updateAgeOnGet: true,
      dispose: ({ client }) => void this.#retire(client),
    });
  }

  /** The number of clients. */
  get size(): number {
    return this.#clients.size;
  }

  /**
   * Returns a caller's client.
   *
   * @throws {CallerUnknownError} if the caller's token does not identify the caller
   * @throws {McpClientConfigurationError} if the server is a process, which has no callers
   */
  get(caller: McpCaller): McpClient {
    const identity = identifyCaller(this.settings.name, caller);
    const present = this.#clients.get(identity);
    if (present === undefined || present.client.state === 'closed') return this.#add(identity, caller);
    present.tokens?.renew(caller);
    return present.client;
  }

  /** Closes all clients, including clients in use. */
  async close(): Promise<void> {
    this.#clients.clear();
    await Promise.all([...this.#leaving].map((client) => client.close()));
  }

  async #retire(client: McpClient): Promise<void> {
    this.#leaving.add(client);
    await client.retire();
    this.#leaving.delete(client);
  }

  #add(identity: string, caller: McpCaller): McpClient {
    const { server } = this.settings;
    const { claims, authentication } = caller.auth;
    const tokens = server.exchange === false ? undefined : this.#createTokens(caller);
    const exchanged =
      tokens === undefined ? server : ({ ...server, auth: tokens } as ClientSettings['server']);
    const acting = { ...claims };
    IDENTITIES.set(acting, identity);
    const client = this.create({ ...this.settings, caller: acting, server: exchanged });
    const person = JSON.stringify([findAuthority(claims?.iss, authentication?.method), claims?.sub]);
    if (!this.#clients.has(identity)) this.#makeRoom(person);
    this.#clients.set(identity, { client, person, tokens });
    return client;
  }

  /** A caller with many different tokens closes its own clients first. */
  #makeRoom(person: string): void {
    if (this.#clients.size < this.settings.callers.maximum) return;
    // The least recently used one is first.
    for (const identity of this.#clients.rkeys()) {
      if (this.#clients.peek(identity)?.person === person) return void this.#clients.delete(identity);
    }
  }

  #createTokens(caller: McpCaller): CallerTokenSource {
    const { name, server } = this.settings;
    if (!('url' in server)) {
      throw new McpClientConfigurationError(
        `clients.${name}.command`,
        'cannot act on behalf of callers: set "url", or "exchange" to false',
      );
    }
    if (!caller.auth.claims?.iss) throw new CallerUnknownError(name, 'whose token has no "iss"');
    const {
      audience,
      scopes,
      resource = audience === undefined ? server.url : undefined,
    } = server.exchange || {};
    return new CallerTokenSource(caller, { audience, resource, scopes });
  }
}

/** The keys of callers, from {@link identifyCaller}, for the claims that input requests name. */
const IDENTITIES = new WeakMap<object, string>();

/** Finds the key for the caller that an input request names. */
export function findIdentity(caller: McpQuestionContext['caller']): string | undefined {
  return caller && IDENTITIES.get(caller);
}

/** Claims that differ in each token and do not describe the caller or its rights. */
const CLAIMS_OF_ONE_TOKEN: ReadonlySet<string> = new Set([
  'exp',
  'iat',
  'nbf',
  'jti',
  'auth_time',
  'nonce',
  'at_hash',
]);

/**
 * Builds a key for the caller and its permissions. A user's tokens have different keys if they grant different
 * permissions, were issued to different clients, or name another actor or tenant.
 *
 * @throws {CallerUnknownError} if the token does not identify the caller
 */
export function identifyCaller(client: string, { auth }: McpCaller): string {
  const { claims, authentication } = auth;
  if (claims === undefined) throw new CallerUnknownError(client, 'who has no token');
  const { iss, sub, clientId, scopes = [], extra = {} } = claims;
  if (!sub) throw new CallerUnknownError(client, 'whose token has no "sub"');
  return JSON.stringify([
    client,
    findAuthority(iss, authentication?.method),
    sub,
    clientId ?? null,
    scopes.toSorted(),
    selectLasting(extra),
  ]);
}

function selectLasting(claims: object): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(claims)
    .filter(([name]) => !CLAIMS_OF_ONE_TOKEN.has(name))
    .toSorted(([first], [second]) => (first < second ? -1 : 1));
}
