import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findUrl } from '../../../../core/oauth/find-url.js';
import { isLoopbackUrl } from '../../../../core/oauth/secure-url.js';
import { orAborted } from '../../../../core/waiting/or-aborted.js';
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

/** Which issuer a user is taken to, and what the client is there already. */
interface LoginPlace {
  readonly issuer: string;
  readonly known: readonly StoredRegistration[];
}

/**
 * Gives what takes a user to the authorization server. If the client registered itself with a port of this machine,
 * that port is used again if it is free, because not every authorization server accepts another port.
 *
 * @throws {RedirectUnavailableError} if nothing can listen at the place to come back to
 * @see RFC 8252 §7.3
 */
export async function openAuthorizer(
  options: BrowserOptions,
  { issuer, known }: LoginPlace,
): Promise<Authorizer> {
  if (options.authorizer !== undefined) return options.authorizer;
  const { redirectUri = REDIRECT_URI, loginTimeoutMs: timeoutMs = LOGIN_TIMEOUT_MS } = options;
  const { openBrowser = openBrowserOfSystem, present = print, readAnswer } = options;
  // A place that somebody named is the place.
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

/** How a user is taken to the authorization server from this machine. */
export interface LoopbackOptions {
  /** Where the browser comes back to; the port is a free one if none is named. */
  readonly redirectUri: string;
  /** The `redirectUri`s of earlier logins. Their port is used again if it is free. @default [] */
  readonly earlierUris?: readonly string[] | undefined;
  /** The issuer that gets its own path below that one. @default none does */
  readonly issuer?: string | undefined;
  /** Opens a URL in a browser; rejects if there is none. */
  readonly openBrowser: (url: string) => Promise<void>;
  /** Shows the user a URL that no browser was opened for. */
  readonly present: (url: string) => void | Promise<void>;
  /** Reads where the browser ended, if it could not come back; nothing if nobody says. @default nobody is asked */
  readonly readAnswer?: ((options: AuthorizeOptions) => Promise<string | undefined>) | undefined;
  readonly timeoutMs: number;
}

/** A pending login. */
interface Expected {
  readonly state: string | null;
  /** Where the login comes back to. */
  readonly place: URL;
  readonly arrive: (answer: URL) => void;
}

/** What is read where the browser ended. */
interface Reading {
  readonly place: URL;
  /** Ends when the user has been told where to log in. */
  readonly showing: Promise<void>;
  readonly signal: AbortSignal;
}

const REQUEST_MS = 10_000;
const SHOWING_MS = 2_000;

/**
 * Opens a browser, and listens on this machine for its return: for one answer, to the login that was begun, and no longer
 * than the user may take.
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
   * Begins to listen.
   *
   * @throws {RedirectUnavailableError} if that is not possible
   */
  static async listen(options: LoopbackOptions): Promise<LoopbackAuthorizer> {
    const { redirectUri, earlierUris = [], issuer } = options;
    const place = new URL(redirectUri);
    const places = [redirectUri, findIssuerRedirect(redirectUri, issuer)];
    const earlier = earlierUris
      .filter((uri) => places.some((one) => one !== undefined && isSamePlace(uri, new URL(one))))
      .map((uri) => Number(new URL(uri).port));
    const ports = place.port === '' ? [...earlier, 0] : [Number(place.port)];
    for (const port of ports) {
      const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS });
      const cause = await tryToListen(server, { port, host: findAddress(place) });
      if (cause === undefined) {
        place.port = String((server.address() as AddressInfo).port);
        return new LoopbackAuthorizer(server, options, place.href);
      }
      if (port === ports.at(-1)) throw new RedirectUnavailableError(redirectUri, { cause });
    }
    throw new RedirectUnavailableError(redirectUri);
  }

  get issuerRedirectUri(): string | undefined {
    return findIssuerRedirect(this.redirectUri, this.options.issuer);
  }

  /** @throws {LoginTimedOutError} if nobody comes back in time */
  async authorize(url: URL, { signal }: AuthorizeOptions = {}): Promise<URL> {
    const over = new AbortController();
    const state = url.searchParams.get('state');
    const place = new URL(url.searchParams.get('redirect_uri') ?? this.redirectUri);
    const answered = new Promise<URL>((arrive) => (this.#expected = { state, place, arrive }));
    // A browser may not return from being opened until it is closed.
    const showing = this.#show(url.href);
    const shown = showing.then(() => answered);
    const told = this.#read({ place, showing, signal: over.signal });
    try {
      return await orAborted(Promise.race([answered, shown, told, this.#giveUp(over.signal)]), signal);
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

  async #giveUp(signal: AbortSignal): Promise<never> {
    const { timeoutMs } = this.options;
    await delay(timeoutMs, undefined, { signal });
    throw new LoginTimedOutError(timeoutMs);
  }

  /** If the user pastes nothing, the browser is awaited. If the pasted text does not answer this login, the user is asked again. */
  async #read({ place, showing, signal }: Reading): Promise<URL> {
    const { readAnswer } = this.options;
    const never = new Promise<never>(() => undefined);
    if (readAnswer === undefined) return never;
    // Where to log in is told first, and opening a browser may not end before the browser does.
    await Promise.race([showing, delay(SHOWING_MS, undefined, { signal })]).catch(() => undefined);
    while (!signal.aborted) {
      const text = await readAnswer({ signal });
      if (text === undefined) break;
      const answer = readAddress(text, place);
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
    const answer = read(request, expected?.place ?? new URL(this.redirectUri));
    if (answer === undefined) return send(response, ABSENT);
    // Any page in the browser can have it ask here, but does not know the state.
    if (expected === undefined || answer.searchParams.get('state') !== expected.state) {
      return send(response, FOREIGN);
    }
    this.#expected = undefined;
    response.once('close', () => expected.arrive(answer));
    send(response, answer.searchParams.has('code') ? DONE : REFUSED);
  }
}

/** A name that somebody makes lead to this machine is in the header `Host`, and is not the place that was named. */
function read({ method, url = '', headers }: IncomingMessage, place: URL): URL | undefined {
  if (method !== 'GET' || headers.host !== place.host || !URL.canParse(url, place.origin)) return undefined;
  const answer = new URL(url, place.origin);
  return answer.origin === place.origin && answer.pathname === place.pathname ? answer : undefined;
}

/** An address may have lost what stands before its query on its way through a clipboard. */
function readAddress(text: string, place: URL): URL | undefined {
  const given = text.trim();
  const answer = findUrl(
    /^[?&]?(?:code|state|error|iss)=/.test(given) ? `?${given.replace(/^[?&]/, '')}` : given,
    place,
  );
  const isOfLogin = answer?.origin === place.origin && answer.pathname === place.pathname;
  return isOfLogin && answer.searchParams.has('state') ? answer : undefined;
}

function findIssuerRedirect(redirectUri: string, issuer: string | undefined): string | undefined {
  return issuer === undefined ? undefined : buildIssuerRedirect(redirectUri, issuer);
}

function send(response: ServerResponse, page: LoopbackPage): void {
  response.writeHead(page.status, PAGE_HEADERS).end(formatPage(page));
}

function isSamePlace(uri: string, place: URL): boolean {
  if (!URL.canParse(uri)) return false;
  const earlier = new URL(uri);
  const { protocol, hostname, pathname } = place;
  return earlier.protocol === protocol && earlier.hostname === hostname && earlier.pathname === pathname;
}

/** Browsers that do not find "localhost" at one of its addresses try the other. */
function findAddress({ hostname }: URL): string {
  return hostname === '[::1]' ? '::1' : '127.0.0.1';
}

async function tryToListen(
  server: Server,
  place: { readonly port: number; readonly host: string },
): Promise<unknown> {
  server.listen(place);
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Refuses a place to come back to that is not on this machine.
 *
 * @throws {TypeError} if nothing here could listen there
 * @see RFC 8252 §7.3
 */
export function assertLoopbackRedirect(redirectUri: string = REDIRECT_URI): void {
  if (URL.canParse(redirectUri) && isPlainLoopback(redirectUri)) return;
  throw new TypeError(
    'The "redirectUri" must be an "http:" URL of this machine without query and fragment, such as "http://127.0.0.1/callback"; give an "authorizer" for another',
  );
}

function isPlainLoopback(redirectUri: string): boolean {
  const { protocol, username, password } = new URL(redirectUri);
  const isPlain = username + password === '' && !/[?#]/.test(redirectUri);
  return protocol === 'http:' && isLoopbackUrl(redirectUri) && isPlain;
}

/** As much of a digest as no two issuers share by chance, nor by trying. */
const PATH_BYTES = 16;

/**
 * Gives the place to come back to from one issuer: below that of all, and no other issuer's. An answer that another one gave does
 * not arrive there.
 *
 * @see RFC 9700 §4.4.2.2
 */
export function buildIssuerRedirect(redirectUri: string, issuer: string): string {
  const place = new URL(redirectUri);
  const digest = createHash('sha256').update(issuer).digest().subarray(0, PATH_BYTES);
  place.pathname = `${place.pathname.replace(/\/$/, '')}/${digest.toString('base64url')}`;
  return place.href;
}
