import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findUrl, isLoopbackUrl } from '../../../../core/oauth/secure-url.js';
import { untilAborted } from '../../../../core/async/promises.js';
import type { StoredRegistration } from '../../credentials/credential-store.js';
import { LoginTimedOutError, RedirectUnavailableError } from '../../errors.js';
import {
  LOGIN_TIMEOUT_MS,
  REDIRECT_URI,
  type AuthorizeOptions,
  type Authorizer,
  type BrowserOptions,
} from '../login-options.js';
import {
  ABSENT,
  DONE,
  FOREIGN,
  formatPage,
  PAGE_HEADERS,
  REFUSED,
  type LoopbackPage,
} from './loopback-page.js';
import { openBrowser as openBrowserOfSystem } from './open-browser.js';

/** The login's issuer, and the client's registrations there. */
interface LoginContext {
  readonly issuer: string;
  readonly known: readonly StoredRegistration[];
}

/**
 * Returns the authorizer for a login. If the client registered with a port on this machine, that port is reused if it
 * is free, because some authorization servers accept no other.
 *
 * @throws {RedirectUnavailableError} if nothing can listen at the redirect URI
 * @see RFC 8252 §7.3
 */
export async function openAuthorizer(
  options: BrowserOptions,
  { issuer, known }: LoginContext,
): Promise<Authorizer> {
  if (options.authorizer !== undefined) return options.authorizer;
  const { redirectUri = REDIRECT_URI, loginTimeoutMs: timeoutMs = LOGIN_TIMEOUT_MS } = options;
  const { openBrowser = openBrowserOfSystem, present = print, readAnswer } = options;
  // A configured redirect URI is used unchanged.
  const ownIssuer = options.redirectUri === undefined ? issuer : undefined;
  const earlierUris = known.flatMap(findRedirectUris);
  return LoopbackAuthorizer.listen({
    redirectUri,
    issuer: ownIssuer,
    earlierUris,
    openBrowser,
    present,
    readAnswer,
    timeoutMs,
  });
}

function findRedirectUris({ origin, metadata }: StoredRegistration): readonly string[] {
  const registered = origin === 'dynamic' ? metadata?.['redirect_uris'] : undefined;
  return Array.isArray(registered) ? registered.map(String) : [];
}

function print(url: string): void {
  process.stderr.write(`Open this address in your browser to log in:\n${url}\n`);
}

/** How a user on this machine reaches the authorization server. */
export interface LoopbackOptions {
  /** The redirect URI. Without a port, a free one is used. */
  readonly redirectUri: string;
  /** The redirect URIs from earlier logins, whose port is reused if it is free. @default [] */
  readonly earlierUris?: readonly string[] | undefined;
  /** The issuer that has a separate path below the redirect URI. @default none */
  readonly issuer?: string | undefined;
  /** Opens a URL in a browser; rejects if there is none. */
  readonly openBrowser: (url: string) => Promise<void>;
  /** Shows the user the URL if no browser could be opened. */
  readonly present: (url: string) => void | Promise<void>;
  /**
   * Reads the redirect URL, if the browser cannot reach this machine; `undefined` if the user enters none.
   * @default the user is not prompted
   */
  readonly readAnswer?: ((options: AuthorizeOptions) => Promise<string | undefined>) | undefined;
  readonly timeoutMs: number;
}

/** A pending login. */
interface Expected {
  readonly state: string | null;
  /** The login's redirect URI. */
  readonly redirect: URL;
  readonly arrive: (answer: URL) => void;
}

/** The values that a pasted URL is compared with. */
interface Reading {
  readonly redirect: URL;
  /** Settles when the URL has been shown to the user. */
  readonly showing: Promise<void>;
  readonly signal: AbortSignal;
}

const REQUEST_MS = 10_000;
const SHOWING_MS = 2_000;

/**
 * Opens a browser, and listens on this machine for the redirect until one response to the pending login arrives or
 * the timeout expires.
 *
 * @see RFC 8252 §7.3, §8.3
 */
export class LoopbackAuthorizer implements Authorizer {
  #expected: Expected | undefined;

  private constructor(
    private readonly server: Server,
    private readonly options: LoopbackOptions,
    readonly redirectUri: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#handle(request, response);
    });
  }

  /**
   * Starts to listen.
   *
   * @throws {RedirectUnavailableError} if that is not possible
   */
  static async listen(options: LoopbackOptions): Promise<LoopbackAuthorizer> {
    const { redirectUri, earlierUris = [], issuer } = options;
    const redirect = new URL(redirectUri);
    const redirects = [redirectUri, findIssuerRedirect(redirectUri, issuer)];
    const earlier = earlierUris
      .filter((uri) => redirects.some((one) => one !== undefined && isSameRedirect(uri, new URL(one))))
      .map((uri) => Number(new URL(uri).port));
    const ports = redirect.port === '' ? [...earlier, 0] : [Number(redirect.port)];
    for (const port of ports) {
      const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS });
      const cause = await tryToListen(server, { port, host: findAddress(redirect) });
      if (cause === undefined) {
        redirect.port = String((server.address() as AddressInfo).port);
        return new LoopbackAuthorizer(server, options, redirect.href);
      }
      if (port === ports.at(-1)) throw new RedirectUnavailableError(redirectUri, { cause });
    }
    throw new RedirectUnavailableError(redirectUri);
  }

  get issuerRedirectUri(): string | undefined {
    return findIssuerRedirect(this.redirectUri, this.options.issuer);
  }

  /** @throws {LoginTimedOutError} if the user does not return in time */
  async authorize(url: URL, { signal }: AuthorizeOptions = {}): Promise<URL> {
    const over = new AbortController();
    const state = url.searchParams.get('state');
    const redirect = new URL(url.searchParams.get('redirect_uri') ?? this.redirectUri);
    const returned = new Promise<URL>((arrive) => (this.#expected = { state, redirect, arrive }));
    // The opener may not exit before the browser is closed.
    const showing = this.#show(url.href);
    const shown = showing.then(() => returned);
    const pasted = this.#read({ redirect, showing, signal: over.signal });
    try {
      return await untilAborted(Promise.race([returned, shown, pasted, this.#timeOut(over.signal)]), signal);
    } finally {
      over.abort();
      this.#expected = undefined;
    }
  }

  async close(): Promise<void> {
    this.#expected = undefined;
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  async #timeOut(signal: AbortSignal): Promise<never> {
    const { timeoutMs } = this.options;
    await delay(timeoutMs, undefined, { signal });
    throw new LoginTimedOutError(timeoutMs);
  }

  /**
   * If the user pastes nothing, wait for the browser. If the pasted URL does not belong to this login, prompt again.
   */
  async #read({ redirect, showing, signal }: Reading): Promise<URL> {
    const { readAnswer } = this.options;
    const never = new Promise<never>(() => undefined);
    if (readAnswer === undefined) return never;
    // Show the URL first, but do not wait for the opener, which may not exit before the browser does.
    await Promise.race([showing, delay(SHOWING_MS, undefined, { signal })]).catch(() => undefined);
    while (!signal.aborted) {
      const text = await readAnswer({ signal });
      if (text === undefined) break;
      const answer = readAddress(text, redirect);
      if (answer !== undefined) return answer;
    }
    return never;
  }

  async #show(url: string): Promise<void> {
    const { openBrowser, present } = this.options;
    try {
      await openBrowser(url);
    } catch {
      await present(url);
    }
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const expected = this.#expected;
    const answer = read(request, expected?.redirect ?? new URL(this.redirectUri));
    if (answer === undefined) return send(response, ABSENT);
    // Any web page can make the browser send requests here, but does not know the state.
    if (expected === undefined || answer.searchParams.get('state') !== expected.state) {
      return send(response, FOREIGN);
    }
    this.#expected = undefined;
    response.once('close', () => expected.arrive(answer));
    send(response, answer.searchParams.has('code') ? DONE : REFUSED);
  }
}

/** Also checks `Host`, as protection against DNS rebinding. */
function read({ method, url = '', headers }: IncomingMessage, redirect: URL): URL | undefined {
  if (method !== 'GET' || headers.host !== redirect.host || !URL.canParse(url, redirect.origin))
    return undefined;
  const answer = new URL(url, redirect.origin);
  return answer.origin === redirect.origin && answer.pathname === redirect.pathname ? answer : undefined;
}

/** Accepts a pasted URL, or only its query, as some terminals copy it. */
function readAddress(text: string, redirect: URL): URL | undefined {
  const given = text.trim();
  const answer = findUrl(
    /^[?&]?(?:code|state|error|iss)=/.test(given) ? `?${given.replace(/^[?&]/, '')}` : given,
    redirect,
  );
  const isOfLogin = answer?.origin === redirect.origin && answer.pathname === redirect.pathname;
  return isOfLogin && answer.searchParams.has('state') ? answer : undefined;
}

function findIssuerRedirect(redirectUri: string, issuer: string | undefined): string | undefined {
  return issuer === undefined ? undefined : buildIssuerRedirect(redirectUri, issuer);
}

function send(response: ServerResponse, page: LoopbackPage): void {
  response.writeHead(page.status, PAGE_HEADERS).end(formatPage(page));
}

function isSameRedirect(uri: string, redirect: URL): boolean {
  if (!URL.canParse(uri)) return false;
  const earlier = new URL(uri);
  const { protocol, hostname, pathname } = redirect;
  return earlier.protocol === protocol && earlier.hostname === hostname && earlier.pathname === pathname;
}

/** Browsers try both addresses of "localhost". */
function findAddress({ hostname }: URL): string {
  return hostname === '[::1]' ? '::1' : '127.0.0.1';
}

async function tryToListen(
  server: Server,
  address: { readonly port: number; readonly host: string },
): Promise<unknown> {
  server.listen(address);
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Rejects a redirect URI that is not on this machine.
 *
 * @throws {TypeError} if nothing on this machine could listen there
 * @see RFC 8252 §7.3
 */
export function assertLoopbackRedirect(redirectUri: string = REDIRECT_URI): void {
  if (URL.canParse(redirectUri) && isPlainLoopback(redirectUri)) return;
  throw new TypeError(
    'The "redirectUri" must be an "http:" URL on this machine without a query or fragment, such as "http://127.0.0.1/callback"; set an "authorizer" for any other URL',
  );
}

function isPlainLoopback(redirectUri: string): boolean {
  const { protocol, username, password } = new URL(redirectUri);
  const isPlain = username + password === '' && !/[?#]/.test(redirectUri);
  return protocol === 'http:' && isLoopbackUrl(redirectUri) && isPlain;
}

/** Long enough to prevent accidental or deliberate collisions. */
const PATH_BYTES = 16;

/**
 * Builds one issuer's redirect URI, below the shared one. Other issuers' responses do not arrive there.
 *
 * @see RFC 9700 §4.4.2.2
 */
export function buildIssuerRedirect(redirectUri: string, issuer: string): string {
  const redirect = new URL(redirectUri);
  const digest = createHash('sha256').update(issuer).digest().subarray(0, PATH_BYTES);
  redirect.pathname = `${redirect.pathname.replace(/\/$/, '')}/${digest.toString('base64url')}`;
  return redirect.href;
}
