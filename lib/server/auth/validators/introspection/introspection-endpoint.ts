import { hash } from 'node:crypto';
import { escapeText } from '../../../../core/log/escape-text.js';
import { Logger } from '../../../../core/logger/logger.js';
import { isMoved } from '../../../../core/oauth/http-status.js';
import { formatBasicCredentials } from '../../../../core/oauth/token-endpoint/client-identity.js';
import { redactSecrets } from '../../../../core/oauth/token-endpoint/token-endpoint.error.js';
import type { JsonObject } from '../../../../core/protocol/json-rpc.js';
import { CachedPromise } from '../../../../core/async/promises.js';
import type { IntrospectionSettings } from '../../../settings/auth/introspection-options.js';
import { AuthUnavailableError, IntrospectionOverloadError, DocumentError } from '../../errors.js';
import { fetchDocument, type DocumentRequest } from '../../keys/fetch-document.js';
import { fetchServerMetadata, getEndpoint } from '../../keys/issuer-metadata.js';
import { quoteValue } from '../../quote-value.js';
import { IntrospectionSlots, type IntrospectedToken } from './introspection-slots.js';

/** The number of distinct tokens refused in a row after which an endpoint is treated as refusing all tokens. */
const SEVERAL = 3;

/**
 * Milliseconds after a success during which an endpoint is not treated as refusing all tokens, because any client can
 * generate distinct tokens.
 */
const TRUSTED_MS = 60_000;

/** Refusal statuses that concern this server's credentials or request rate. */
const OF_ALL: ReadonlySet<number> = new Set([401, 429]);

/**
 * Distinguishes refusals of single tokens from an endpoint that refuses all tokens. Any client may send a token that
 * the endpoint, or a firewall in front of it, refuses. This must not affect other tokens.
 */
class RefusedTokens {
  /** Digests of tokens that were refused since the last success. */
  readonly #tokens = new Set<string>();
  #answeredAt = -Infinity;
  #answers = 0;

  /** Records a successful response. */
  recordResponse(): void {
    this.#tokens.clear();
    this.#answeredAt = performance.now();
    this.#answers += 1;
  }

  /** The number of successful responses. */
  get answers(): number {
    return this.#answers;
  }

  /** Records that a token was refused. Returns whether the token itself is the cause. */
  isOfToken(token: string): boolean {
    if (this.#tokens.size < SEVERAL) this.#tokens.add(hash('sha256', token, 'base64'));
    return this.#tokens.size < SEVERAL || performance.now() - this.#answeredAt < TRUSTED_MS;
  }
}

/**
 * Returns whether the token may be the cause of a failure. A success response without an introspection result may be
 * a firewall page.
 */
function isRefusal(failure: unknown): failure is DocumentError {
  if (!(failure instanceof DocumentError)) return false;
  const { status = 0 } = failure;
  const isNone = status >= 200 && status < 300;
  return isNone || (status >= 400 && status < 500 && !OF_ALL.has(status));
}

/** Returns whether the endpoint has responded without an introspection result. The token may be the cause. */
function hasStatus(failure: unknown): boolean {
  return failure instanceof DocumentError && failure.status !== undefined;
}

/** Returns whether this server's credentials are refused, whatever the token. */
function isOfClient(failure: unknown): boolean {
  return failure instanceof DocumentError && failure.status === 401;
}

/** Returns whether the endpoint limits the request rate. */
function isLimit(failure: unknown): boolean {
  return failure instanceof DocumentError && failure.status === 429;
}

/** How long to pause requests after a failure, in milliseconds; callers receive it as `Retry-After`. */
const COOLDOWN_MS = 1000;

/** Milliseconds between two log lines about failing tokens, which any client may send. */
const PAUSE_MS = 10_000;

/** The last failure, during which no requests are sent. */
interface Failure {
  readonly restsUntil: number;
  /** Whether an unknown token may have caused it. */
  readonly isOfUnknownToken: boolean;
  /** The error for callers until then. */
  readonly error: AuthUnavailableError;
}

/** An unknown token from an unknown address. */
const ANYBODY: IntrospectedToken = { isKnown: false, findAddress: () => undefined };

/**
 * Introspects tokens at the authorization server.
 *
 * After a failure, it pauses for a moment, and then sends one request at a time until one succeeds. This avoids
 * overloading a server that is down, and callers do not wait for it. If the server refuses a single token, only that
 * request has failed. If it fails on a token that a client may have invented, it still introspects tokens that were
 * active, and callers receive 429. If it is unreachable or refuses the credentials, callers receive 503.
 *
 * @see RFC 7662 §2
 */
export class IntrospectionEndpoint {
  readonly #logger = new Logger('McpAuth');
  /** The discovered URL is used until a request fails, because the server may have moved. */
  readonly #url = new CachedPromise<string>(() => this.#discover());
  readonly #refused = new RefusedTokens();
  #failure: Failure | undefined;
  readonly #slots: IntrospectionSlots;
  #toldAt = -Infinity;

  constructor(private readonly settings: IntrospectionSettings) {
    this.#slots = new IntrospectionSlots(settings.timeoutMs);
  }

  /**
   * Returns the unchecked introspection response for an active token, or `undefined` if the token is not active.
   *
   * @throws {IntrospectionOverloadError} if too many requests are running here or at the authorization server
   * @throws {AuthUnavailableError} if there is no introspection result
   */
  async introspect(token: string, subject: IntrospectedToken = ANYBODY): Promise<JsonObject | undefined> {
    this.#assertReady(subject, 0);
    return this.#slots.run(subject, async () => {
      // A failure may have occurred while this request waited.
      this.#assertReady(subject, 1);
      const answer = await this.#request(await this.#find(), token, subject);
      this.#failure = undefined;
      this.#refused.recordResponse();
      return answer;
    });
  }

  /** Whether the last request failed. */
  get isFailing(): boolean {
    return this.#failure !== undefined;
  }

  #assertReady({ isKnown }: IntrospectedToken, own: 0 | 1): void {
    if (this.#failure === undefined || (isKnown && this.#failure.isOfUnknownToken)) return;
    if (!this.#isResting && this.#slots.running === own) return;
    throw this.#failure.error;
  }

  get #isResting(): boolean {
    return this.#failure !== undefined && performance.now() < this.#failure.restsUntil;
  }

  async #find(): Promise<string> {
    try {
      return this.settings.endpoint ?? (await this.#url.get());
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #request(
    url: string,
    token: string,
    { isKnown }: IntrospectedToken,
  ): Promise<JsonObject | undefined> {
    const { timeoutMs } = this.settings;
    const { answers } = this.#refused;
    try {
      const request = buildRequest(this.settings, token);
      const document = await fetchDocument(url, { timeoutMs, request });
      return parseResponse(document, (text) => hideSent(text, this.settings, request));
    } catch (error) {
      const isOfToken = isRefusal(error) && this.#refused.isOfToken(token);
      if (isOfToken || this.#answersOthers(error, answers)) throw this.#refuse(error);
      throw this.#fail(error, !isKnown && this.#mayBeAnonymous(error));
    }
  }

  /**
   * Returns whether only one request has failed: a server that responds to other requests is not down.
   *
   * @param answersBefore the number of successes before this request
   */
  #answersOthers(cause: unknown, answersBefore: number): boolean {
    return this.#refused.answers > answersBefore && !isOfClient(cause) && !isLimit(cause);
  }

  /** Any client may have invented a token, or enough tokens, to make the server fail. */
  #mayBeAnonymous(cause: unknown): boolean {
    if (isOfClient(cause) || isLimit(cause)) return false;
    const isAfterOthers = this.#isResting && this.#failure?.isOfUnknownToken === true;
    return hasStatus(cause) || isAfterOthers || this.#slots.isCrowded;
  }

  async #discover(): Promise<string> {
    const { issuer, timeoutMs, insecureHosts, ignoreIssuerSlash } = this.settings;
    const leniency = { insecureHosts, ignoreIssuerSlash };
    const metadata = await fetchServerMetadata(issuer, { timeoutMs, ...leniency });
    return getEndpoint(metadata, 'introspection_endpoint', leniency);
  }

  #fail(cause: unknown, isAnonymous = false): AuthUnavailableError {
    // Concurrent requests fail together, so only one of them is logged.
    const isDue = !this.#isResting && (!isAnonymous || this.#takeTurn());
    if (isDue) this.#logger.warn(escapeText(`Tokens cannot be introspected: ${explain(cause)}`));
    this.#url.forget();
    const error = isLimit(cause)
      ? new IntrospectionOverloadError(cause)
      : createUnavailable(cause, isAnonymous);
    this.#failure = { error, restsUntil: performance.now() + COOLDOWN_MS, isOfUnknownToken: isAnonymous };
    return error;
  }

  /** Fails one token. Other tokens are still checked. */
  #refuse(cause: unknown): AuthUnavailableError {
    if (this.#takeTurn()) {
      this.#logger.warn(escapeText(`A token cannot be introspected: ${explain(cause)}`));
    }
    const status = cause instanceof DocumentError ? cause.status : undefined;
    // A response without a result may come from a different service at that URL.
    if (status !== undefined && (status < 400 || isMoved(status))) this.#url.forget();
    return createUnavailable(cause, true);
  }

  /** Returns whether a line that any client can trigger may be logged now. */
  #takeTurn(): boolean {
    const now = performance.now();
    if (now - this.#toldAt < PAUSE_MS) return false;
    this.#toldAt = now;
    return true;
  }
}

function createUnavailable(cause: unknown, isOfToken: boolean): AuthUnavailableError {
  const retryAfterSeconds = COOLDOWN_MS / 1000;
  const httpStatus = isOfToken ? 429 : 503;
  return new AuthUnavailableError('tokens cannot be introspected', { retryAfterSeconds, httpStatus, cause });
}

function buildRequest(settings: IntrospectionSettings, token: string): DocumentRequest {
  const { clientId, clientSecret, authenticationMethod } = settings;
  const form = new URLSearchParams({ token, token_type_hint: 'access_token' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  if (authenticationMethod === 'client_secret_basic') {
    const authorization = formatBasicCredentials(clientId, clientSecret);
    return { method: 'POST', headers: { ...headers, authorization }, body: form.toString() };
  }
  form.set('client_id', clientId);
  form.set('client_secret', clientSecret);
  return { method: 'POST', headers, body: form.toString() };
}

/** Masks the request's secrets in a response that is logged. */
function hideSent(text: string, client: IntrospectionSettings, { body, ...sent }: DocumentRequest): string {
  return redactSecrets(text, client, {
    ...sent,
    headers: { ...sent.headers },
    body: new URLSearchParams(body),
  });
}

/** The statuses of errors that concern the client or the server. Other errors may concern the token. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['invalid_client', 401],
  ['unauthorized_client', 401],
  ['slow_down', 429],
  ['server_error', 500],
  ['temporarily_unavailable', 503],
]);

/** Some servers report an error with a success status. It is treated as if it had the error's status. */
function parseResponse(
  { active, ...said }: JsonObject,
  hide: (text: string) => string,
): JsonObject | undefined {
  const { error } = said;
  if (typeof error === 'string' && error !== '') {
    throw new DocumentError(
      `the introspection endpoint responded with the error ${quoteValue(hide(error))}`,
      STATUSES.get(error) ?? 400,
    );
  }
  if (typeof active === 'boolean') return active ? said : undefined;
  throw new DocumentError('the introspection response does not contain "active"', 200);
}

function explain(error: unknown): string {
  if (!(error instanceof DocumentError)) return String(error);
  const { message, status } = error;
  if (status === 401) return `"auth.introspection.clientSecret" was rejected: ${message}`;
  if (status !== 400 && status !== 403) return message;
  return `${message}: check "auth.introspection", especially "clientId", "clientSecret" and "authenticationMethod"`;
}
