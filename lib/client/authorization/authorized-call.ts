import { findUrl } from '../../core/oauth/secure-url.js';
import { isRedirectStatus } from '../../core/oauth/http-status.js';
import { untilAborted } from '../../core/async/promises.js';
import { formatAuthorization, readDemand, type Demand } from './authorization-headers.js';
import { BodyNotReplayableError, RedirectRefusedError, RetryExhaustedError } from './errors.js';
import type { TokenProvider } from './token-provider.js';

/** A call, and what sending it depends on. */
export interface CallParts {
  readonly serverUrl: string;
  readonly tokens: TokenProvider;
  readonly send: typeof fetch;
  readonly input: string | URL | Request;
  readonly init: RequestInit;
}

/** Sends one call with a token, and retries it if the server requires a different token. */
export class AuthorizedCall {
  /** The reasons why the call was already retried. */
  readonly #retried = new Set<401 | 403 | 'proof'>();

  constructor(private readonly parts: CallParts) {}

  /** Returns the server's response. */
  async run(): Promise<Response> {
    let token = await this.#wait(this.parts.tokens.findToken());
    for (;;) {
      const response = await this.#send(token);
      if (response.ok && token !== undefined) this.parts.tokens.confirm(token);
      const demand = readDemand({ serverUrl: this.parts.serverUrl, response, token });
      if (!this.#canMeet(demand)) return response;
      // A login can last minutes. Release the connection first.
      await response.body?.cancel();
      token = await this.#meet(demand, token);
      if (!isReplayable(this.parts.init.body)) throw new BodyNotReplayableError(this.#url);
    }
  }

  /** A requirement that cannot be met is left to the caller. */
  #canMeet(demand: Demand): demand is Exclude<Demand, { kind: 'nothing' }> {
    if (demand.kind === 'nothing') return false;
    const { tokens } = this.parts;
    return demand.kind === 'token'
      ? tokens.canRespond
      : tokens.proof !== undefined && !this.#retried.has('proof');
  }

  /** Returns the token for the next attempt. */
  async #meet(
    demand: Exclude<Demand, { kind: 'nothing' }>,
    token: string | undefined,
  ): Promise<string | undefined> {
    const reason = demand.kind === 'proof' ? 'proof' : demand.challenge.status;
    const isSpent = this.#retried.has(reason);
    this.#retried.add(reason);
    if (demand.kind === 'proof') return token;
    const { serverUrl, status, scopes } = demand.challenge;
    if (isSpent) {
      await this.parts.tokens.report(demand.challenge);
      throw new RetryExhaustedError(serverUrl, status, scopes);
    }
    return this.#wait(this.parts.tokens.resolve(demand.challenge));
  }

  async #send(token: string | undefined): Promise<Response> {
    const { send, input, init, tokens } = this.parts;
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
    const added = token === undefined ? {} : await this.#buildHeaders(token);
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    // Send a copy, because a `Request` can be sent only once.
    const target = input instanceof Request ? input.clone() : input;
    const response = await send(target, { ...init, headers, redirect: 'manual' });
    tokens.proof?.heedAnswer(this.#url, response.headers);
    if (isRedirectStatus(response.status)) throw await refuseRedirect(this.#url, response);
    return response;
  }

  async #buildHeaders(token: string): Promise<{ readonly [name: string]: string }> {
    const { tokens, init, input } = this.parts;
    const method = init.method ?? (input instanceof Request ? input.method : 'GET');
    const proven = tokens.proof?.buildHeaders({ method: method.toUpperCase(), url: this.#url, token });
    return (await proven) ?? { authorization: formatAuthorization(token) };
  }

  get #url(): string {
    const { input } = this.parts;
    return input instanceof Request ? input.url : String(input);
  }

  /** A login can be slow: callers that abort do not wait for the token. */
  #wait<T>(promise: Promise<T>): Promise<T> {
    const { init, input } = this.parts;
    const signal = init.signal ?? (input instanceof Request ? input.signal : undefined);
    return untilAborted(promise, signal);
  }
}

async function refuseRedirect(url: string, { headers, body }: Response): Promise<RedirectRefusedError> {
  await body?.cancel();
  const location = headers.get('location') ?? undefined;
  const target = location === undefined ? undefined : (findUrl(location, url)?.href ?? location);
  return new RedirectRefusedError(url, target);
}

/** Streams and other async iterables can be read only once. */
function isReplayable(body: unknown): boolean {
  return typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body);
}
