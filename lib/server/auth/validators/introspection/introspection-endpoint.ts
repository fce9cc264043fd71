import { hash } from 'node:crypto';
import { escapeText } from '../../../../core/log/escape-text.js';
import { Logger } from '../../../../core/logger/logger.js';
import { isMoved } from '../../../../core/oauth/http-status.js';
import { formatBasicCredentials } from '../../../../core/oauth/token-endpoint/client-authentication.js';
import { redactSecrets } from '../../../../core/oauth/token-endpoint/request-token.js';
import type { JsonObject } from '../../../../core/protocol/json-rpc.js';
import { CachedPromise } from '../../../../core/async/promises.js';
import type { IntrospectionSettings } from '../../../settings/auth/introspection-options.js';
import { AuthUnavailableError, IntrospectionOverloadError, DocumentError } from '../../errors.js';
import { fetchDocument, type DocumentRequest } from '../../keys/fetch-document.js';
import { fetchServerMetadata, getEndpoint } from '../../keys/issuer-metadata.js';
import { quoteValue } from '../../quote-value.js';
import { IntrospectionSlots, type IntrospectedToken } from './introspection-slots.js';

/** The number of different tokens refused in a row after which an endpoint counts as refusing all. */
const SEVERAL = 3;

/** How long an endpoint that answered does not count as one that refuses all: anybody may invent different tokens. */
const TRUSTED_MS = 60_000;

/** Statuses of refusals that are about who asks, and how often. */
const OF_ALL: ReadonlySet<number> = new Set([401, 429]);

/**
 * Tells refusals of single tokens from those of an endpoint that refuses all. Anybody may send a token that the
 * endpoint, or a firewall before it, refuses. This must not cost others their answers.
 */
class RefusedTokens {
  /** Digests of tokens that were refused since the last answer. */
  readonly #tokens = new Set<string>();
  #answeredAt = -Infinity;
  #answers = 0;

  /** Notes that the endpoint has answered. */
  recordResponse(): void {
    this.#tokens.clear();
    this.#answeredAt = performance.now();
    this.#answers += 1;
  }

  /** How often the endpoint has answered. */
  get answers(): number {
    return this.#answers;
  }

  /** Notes that the question about a token was refused, and tells whether that is for the token. */
  isOfToken(token: string): boolean {
    if (this.#tokens.size < SEVERAL) this.#tokens.add(hash('sha256', token, 'base64'));
    return this.#tokens.size < SEVERAL || performance.now() - this.#answeredAt < TRUSTED_MS;
  }
}

/**
 * Tells whether the token may be the reason why a question failed. With a status of success, an answer that does not say
 * what was asked may be the page of a firewall.
 */
function isRefusal(failure: unknown): failure is DocumentError {
  if (!(failure instanceof DocumentError)) return false;
  const { status = 0 } = failure;
  const isNone = status >= 200 && status < 300;
  return isNone || (status >= 400 && status < 500 && !OF_ALL.has(status));
}

/** Tells whether the endpoint has answered, but not the question. The token may be the reason. */
function hasStatus(failure: unknown): boolean {
  return failure instanceof DocumentError && failure.status !== undefined;
}

/** Tells whether the credentials of this server are refused, which no token changes. */
function isOfClient(failure: unknown): boolean {
  return failure instanceof DocumentError && failure.status === 401;
}

/** Tells whether the endpoint wants fewer questions. */
function isLimit(failure: unknown): boolean {
  return failure instanceof DocumentError && failure.status === 429;
}

/** How long nobody is asked after a failure; as many seconds are callers told to wait. */
const COOLDOWN_MS = 1000;

/** Between two lines of the log on tokens that get no answer: anybody may send them. */
const PAUSE_MS = 10_000;

/** Why the server is left alone. */
interface Failure {
  readonly restsUntil: number;
  /** Whether it may be due to a token of which nothing is known. */
  readonly isOfUnknownToken: boolean;
  /** What callers get until then. */
  readonly error: AuthUnavailableError;
}

/** A token of which nothing is known. */
const ANYBODY: IntrospectedToken = { isKnown: false, findAddress: () => undefined };

/**
 * Asks the authorization server about tokens.
 *
 * After a failure it asks nothing for a moment, and then one question at a time until one is answered. So a server that is down
 * is not pressed, and callers do not wait for it. If the server refuses a question for its token, only that question has
 * failed. If it fails at a token that anybody may have invented, it is still asked about tokens that were active. Then
 * callers get 429. If it cannot be reached, or refuses the credentials, they get 503.
 *
 * @see RFC 7662 §2
 */
export class IntrospectionEndpoint {
  readonly #logger = new Logger('McpAuth');
  /** What was found is used until something fails: the server may have moved. */
  readonly #url = new CachedPromise<string>(() => this.#discover());
  readonly #refused = new RefusedTokens();
  #failure: Failure | undefined;
  readonly #slots: IntrospectionSlots;
  #toldAt = -Infinity;

  constructor(private readonly settings: IntrospectionSettings) {
    this.#slots = new IntrospectionSlots(settings.timeoutMs);
  }

  /**
   * Returns what the server says of a token, unchecked, or `undefined` if it says that the token is not active.
   *
   * @throws {IntrospectionOverloadError} if too many questions come, for this server or for the authorization server
   * @throws {AuthUnavailableError} if it does not say
   */
  async introspect(token: string, subject: IntrospectedToken = ANYBODY): Promise<JsonObject | undefined> {
    this.#assertReady(subject, 0);
    return this.#slots.run(subject, async () => {
      // It may have failed while this question waited.
      this.#assertReady(subject, 1);
      const answer = await this.#request(await this.#find(), token, subject);
      this.#failure = undefined;
      this.#refused.recordResponse();
      return answer;
    });
  }

  /** Whether the last question was not answered. */
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
      throw this.#fail(error, !isKnown && this.#mayBeOfStrangers(error));
    }
  }

  /**
   * Tells whether only one question has failed: a server that answers others is not down.
   *
   * @param answersBefore how often it had answered when this was asked
   */
  #answersOthers(cause: unknown, answersBefore: number): boolean {
    return this.#refused.answers > answersBefore && !isOfClient(cause) && !isLimit(cause);
  }

  /** Anybody may have invented a token at which the server fails, or so many that it does. */
  #mayBeOfStrangers(cause: unknown): boolean {
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

  #fail(cause: unknown, isOfStranger = false): AuthUnavailableError {
    // Many questions that wait for the same server fail together: one of them is told.
    const isDue = !this.#isResting && (!isOfStranger || this.#takeTurn());
    if (isDue) this.#logger.warn(escapeText(`Tokens cannot be introspected: ${explain(cause)}`));
    this.#url.forget();
    const error = isLimit(cause)
      ? new IntrospectionOverloadError(cause)
      : createUnavailable(cause, isOfStranger);
    this.#failure = { error, restsUntil: performance.now() + COOLDOWN_MS, isOfUnknownToken: isOfStranger };
    return error;
  }

  /** Other tokens are still checked. */
  #refuse(cause: unknown): AuthUnavailableError {
    if (this.#takeTurn()) {
      this.#logger.warn(escapeText(`A token cannot be introspected: ${explain(cause)}`));
    }
    const status = cause instanceof DocumentError ? cause.status : undefined;
    // What is no answer may come from somebody else, who is at that URL now.
    if (status !== undefined && (status < 400 || isMoved(status))) this.#url.forget();
    return createUnavailable(cause, true);
  }

  /** Tells whether the log may have a line now that a token of anybody causes. */
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

/** Removes what was sent from what the server says about it, because that is written to the log. */
function hideSent(text: string, client: IntrospectionSettings, { body, ...sent }: DocumentRequest): string {
  return redactSecrets(text, client, {
    ...sent,
    headers: { ...sent.headers },
    body: new URLSearchParams(body),
  });
}

/** The statuses of errors that are about who asks, or about the server. Others may be about the token. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['invalid_client', 401],
  ['unauthorized_client', 401],
  ['slow_down', 429],
  ['server_error', 500],
  ['temporarily_unavailable', 503],
]);

/** Some servers report an error with a status of success. It counts as if it had the status of that error. */
function parseResponse(
  { active, ...said }: JsonObject,
  hide: (text: string) => string,
): JsonObject | undefined {
  const { error } = said;
  if (typeof error === 'string' && error !== '') {
    throw new DocumentError(
      `the introspection endpoint answered with the error ${quoteValue(hide(error))}`,
      STATUSES.get(error) ?? 400,
    );
  }
  if (typeof active === 'boolean') return active ? said : undefined;
  throw new DocumentError(
    'the answer of the introspection endpoint does not say whether the token is "active"',
    200,
  );
}

function explain(error: unknown): string {
  if (!(error instanceof DocumentError)) return String(error);
  const { message, status } = error;
  if (status === 401) return `"auth.introspection.clientSecret" is refused: ${message}`;
  if (status !== 400 && status !== 403) return message;
  return `${message}: check "auth.introspection", above all "clientId", "clientSecret" and "authenticationMethod"`;
}
