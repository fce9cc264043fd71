import type { IncomingMessage, ServerResponse } from 'node:http';
import { Keyring } from '../core/sealing/keyring.js';
import { Engine, presentAsIssuer, TOO_MANY } from './engine/engine.js';
import { ROUTES } from './engine/engine-configuration.js';
import type { EventReporter } from './event-reporter.js';
import { parseTarget, sendPage } from './login/browser.js';
import { LoginHandler } from './login/login-handler.js';
import { renderErrorPage } from './login/pages.js';
import { reportFailure } from './report-failure.js';
import { RequestLimits, type LimitedRequest } from './request-limits.js';
import type { AuthorizationServerSettings } from './settings/authorization-server-options.js';
import { MemoryAuthorizationStorage } from './storage/memory-authorization-storage.js';
import { SealedRecords } from './storage/sealed-records.js';
import { UpstreamClient } from './upstream/upstream-client.js';
import { UpstreamTokenStore } from './upstream/upstream-tokens.js';

/** RFC 8414 puts the well-known part before the issuer's path, OpenID Connect after it. */
const METADATA = '/.well-known/oauth-authorization-server';
const OPENID_METADATA = '/.well-known/openid-configuration';

/** Responds to all requests to one authorization server. */
export class AuthorizationServer {
  readonly tokens: UpstreamTokenStore;
  readonly #engine: Engine;
  readonly #login: LoginHandler;
  readonly #limits: RequestLimits;

  constructor(
    readonly settings: AuthorizationServerSettings,
    private readonly events: EventReporter,
  ) {
    const { issuer, secrets, storage = new MemoryAuthorizationStorage() } = settings;
    const keyring = new Keyring(secrets, { prefix: 'authorization-server', path: issuer });
    const records = new SealedRecords(storage, keyring);
    const upstream = new UpstreamClient(settings.upstream, `${issuer}/callback`);
    this.tokens = new UpstreamTokenStore(records, upstream, settings.refreshTokenSeconds);
    this.#limits = new RequestLimits(settings, records);
    const parts = { settings, records, keyring, tokens: this.tokens, events };
    this.#engine = new Engine({ ...parts, limits: this.#limits });
    this.#login = new LoginHandler({ ...parts, engine: this.#engine, upstream });
  }

  /** Responds to a request if it is for this server; otherwise passes it on. */
  readonly middleware = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const url = this.#findUrl(request.url ?? '/');
    if (url === undefined) return next();
    presentAsIssuer(request, this.settings, url);
    this.#respond(request, response).catch((error: unknown) => {
      reportFailure(error);
      this.events.reportRoute(request, findRouteName(request), 'server_error');
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  };

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = readRoute(request);
    if (route === ROUTES.registration && allowPages(request, response)) return;
    const kind = findLimit(request, route);
    const wait = kind === undefined ? 0 : await this.#limits.count(kind, request);
    if (wait > 0) {
      this.events.reportRoute(request, findRouteName(request), 'rate_limited');
      return this.#refuse(kind === 'authorization' || kind === 'callback', wait, response);
    }
    if (await this.#login.handle(request, response)) return;
    if (route === ROUTES.authorization) completeRequest(request, this.settings);
    await this.#engine.respond(request, response);
  }

  /** Returns the part of a URL below the issuer's path, or `undefined` if it is not for this server. */
  #findUrl(url: string): string | undefined {
    const { path } = this.settings;
    const end = url.indexOf('?');
    const pathname = end < 0 ? url : url.slice(0, end);
    if (pathname === METADATA + path) return METADATA;
    if (pathname === OPENID_METADATA + path) return OPENID_METADATA;
    return pathname.startsWith(`${path}/`) ? url.slice(path.length) : undefined;
  }

  #refuse(isPage: boolean, wait: number, response: ServerResponse): void {
    response.setHeader('retry-after', String(wait));
    if (isPage) return sendPage(response, 429, renderErrorPage(this.settings.consent, TOO_MANY_LOGINS));
    response.setHeader('access-control-allow-origin', '*');
    response.writeHead(429, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify(TOO_MANY));
  }
}

const TOO_MANY_LOGINS = 'Too many logins have begun. Wait a few minutes.';

/** Lets clients in web pages register. Returns whether the request was a preflight request, to which it has responded. */
function allowPages({ method }: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader('access-control-allow-headers', 'content-type, mcp-protocol-version');
  if (method === 'OPTIONS') response.writeHead(204).end();
  return method === 'OPTIONS';
}

/** Anyone can send these requests, and each makes this server store or look up something. */
function findLimit({ method }: IncomingMessage, route: string): LimitedRequest | undefined {
  if (route === '/callback') return 'callback';
  if (method === 'OPTIONS') return undefined;
  if (route === ROUTES.authorization) return 'authorization';
  if (method !== 'POST') return undefined;
  if (route.startsWith('/interaction/')) return 'authorization';
  if (route === ROUTES.registration) return 'registration';
  return route === ROUTES.token || route === ROUTES.revocation ? 'token' : undefined;
}

/** Names a request's route as the engine does. */
function findRouteName(request: IncomingMessage): string {
  const route = readRoute(request);
  if (route.startsWith('/interaction/')) return 'authorization';
  if (route === '/callback') return 'resume';
  return Object.entries(ROUTES).find(([, path]) => path === route)?.[0] ?? '';
}

/** Reads a request's route as the engine does: case-insensitively, with or without a trailing slash. */
function readRoute(request: IncomingMessage): string {
  return parseTarget(request).pathname.replace(/\/$/, '').toLowerCase();
}

/**
 * Completes an authorization request. A client that requests no scope is granted all that the user may grant
 * (RFC 6749 §3.3). A code is returned in the query: the engine refuses response modes that it does not know, and would
 * otherwise return it in a fragment too, or in a form that a script submits.
 */
function completeRequest(request: IncomingMessage, { resources, path }: AuthorizationServerSettings): void {
  const { pathname, searchParams } = parseTarget(request);
  // The engine responds to both in the same way.
  if (request.method !== 'GET' && request.method !== 'HEAD') return;
  if (searchParams.getAll('response_mode').some((mode) => mode !== 'query'))
    searchParams.set('response_mode', 'unsupported');
  if (searchParams.getAll('scope').every((scope) => scope === '')) {
    const named = searchParams.get('resource');
    const scopes = named === null ? Object.values(resources) : [resources[named] ?? {}];
    searchParams.set('scope', [...new Set(scopes.flatMap(Object.keys))].join(' '));
  }
  request.url = `${pathname}?${searchParams.toString()}`;
  // The engine compares both to find out where it is mounted.
  Object.assign(request, { originalUrl: path + request.url });
}
