import { Inject, Injectable } from '@nestjs/common';
import { Logger } from '../../../core/logger/logger.js';
import { isScope } from '../../../core/oauth/scope.js';
import { TokenEndpointError } from '../../../core/oauth/token-endpoint/token-endpoint.error.js';
import type { Authentication } from '../../context/authentication.interface.js';
import type { ExchangingCall, WantedToken } from '../../context/exchange.interface.js';
import { allowExchange } from '../../context/exchanges.js';
import { ExchangeRefusedError } from '../../context/exchange-refused.error.js';
import { ToolError } from '../../context/tool.error.js';
import { formatLine, type LogSubject } from '../../log/format-line.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { quoteValue } from '../quote-value.js';
import type { IsTheirs } from '../validators/validator.interface.js';
import { assertExchangeable } from './assert-exchangeable.js';
import { ExchangeEndpoint } from './exchange-endpoint.js';
import { ExchangedTokens } from './exchanged-tokens.js';
import { UnexchangeableTokenError } from './unexchangeable-token.error.js';

/** Between two lines of the log on the same fault. */
const PAUSE_MS = 10_000;

/** What callers learn, whatever is wrong. */
const REFUSAL = 'The call cannot be made on your behalf at the moment';

/** What callers learn if they can do something about it. */
const REFUSAL_UNTIL_LOGIN = 'The call cannot be made on your behalf until you have logged in again';

/** If the user has something to do: to consent or to show more of themselves (OpenID Connect Core 1.0 §3.1.2.6). */
const INTERACTIVE: ReadonlySet<string> = new Set([
  'interaction_required',
  'consent_required',
  'login_required',
]);

/** What is to be done about each refusal of an authorization server. */
const REMEDIES: { readonly [error: string]: string } = {
  invalid_client:
    'check "auth.exchange.clientId", and its secret or key; if it is a key, set "auth.exchange.assertionAudience" as the server wants it',
  unauthorized_client:
    'allow the client of "auth.exchange" the grant of RFC 8693 there, or that of its "profile"',
  unsupported_grant_type:
    'name an authorization server in "auth.exchange" that has the grant of RFC 8693, or set "profile" to "on-behalf-of" if it is Entra ID',
  invalid_target: 'make the audience or the resource known there, or ask for another',
  invalid_scope: 'ask for scopes that the service has',
  invalid_grant: 'the caller\'s token is over or revoked, or was not given for the client of "auth.exchange"',
  interaction_required:
    'the user must log in again with more, such as a second factor: "claims" of the error says with what',
  consent_required: 'the user, or an administrator, must consent to the request',
  login_required: 'the user has to log in again',
};

/** A caller, with the token that came with the request, and who exchanges it. */
interface Subject {
  readonly endpoint: ExchangeEndpoint;
  readonly authentication: Authentication;
  readonly token: string;
}

/** Exchanges callers' tokens for those of other services, if the server is configured for this. */
@Injectable()
export class TokenExchanger {
  readonly #logger = new Logger('McpAuth');
  readonly #endpoint: ExchangeEndpoint | undefined;
  readonly #tokens: ExchangedTokens;
  readonly #toldAt = new Map<string, number>();

  constructor(@Inject(SERVER_SETTINGS) { auth }: ServerSettings) {
    this.#endpoint = auth?.exchange && new ExchangeEndpoint(auth.exchange);
    this.#tokens = new ExchangedTokens(auth?.exchange?.cacheSize ?? 1);
  }

  /** Lets the handlers of a caller exchange the token that came with the request. */
  allow(authentication: Authentication, token: string): void {
    const endpoint = this.#endpoint;
    if (endpoint === undefined) return;
    const subject = { endpoint, authentication, token };
    allowExchange(authentication, () => (wanted, call) => this.#exchange(subject, wanted, call));
  }

  /** Forgets the tokens that were got. */
  clear(): void {
    this.#tokens.clear();
  }

  /** Forgets the tokens that were got for some callers. */
  forget(isTheirs: IsTheirs): void {
    this.#tokens.forget(isTheirs);
  }

  async #exchange(
    { endpoint, authentication, token }: Subject,
    wanted: WantedToken,
    call: ExchangingCall | undefined,
  ): Promise<string> {
    assertScopes(wanted);
    endpoint.assertAskable(wanted);
    const { expiresAt } = authentication.claims;
    try {
      assertExchangeable(authentication, endpoint.settings);
      const question = { caller: authentication, subjectToken: token, expiresAt, wanted };
      return await this.#tokens.get(question, () => endpoint.exchange(token, wanted));
    } catch (error) {
      throw this.#refuse(error, { ...pickSubject(call), authentication });
    }
  }

  #refuse(error: unknown, subject: LogSubject): ToolError {
    const text = explain(error);
    const now = performance.now();
    // An outage that lasts must not fill the log with a line for each call.
    if (now - (this.#toldAt.get(nameFault(error)) ?? -Infinity) >= PAUSE_MS) {
      this.#toldAt.set(nameFault(error), now);
      this.#logger.warn(formatLine(`A token could not be exchanged: ${text}`, subject));
    }
    return describe(error);
  }
}

function pickSubject({ http, session, method, params }: Partial<ExchangingCall> = {}): LogSubject {
  return { http, session, method, params };
}

/** The cause stays in the log, because the text of the authorization server is for the operator. */
function describe(error: unknown): ToolError {
  if (!(error instanceof TokenEndpointError)) return new ToolError(REFUSAL);
  const { error: name, claims } = error;
  const isInteractive = INTERACTIVE.has(name) || claims !== undefined;
  const message = isInteractive ? `${REFUSAL_UNTIL_LOGIN} (${quoteName(name)})` : REFUSAL;
  return new ExchangeRefusedError(message, { error: name, claims });
}

/** A name that nobody knows may be any text of the authorization server. */
function quoteName(name: string): string {
  return INTERACTIVE.has(name) ? name : 'interaction_required';
}

/** Scopes come from the application, and it may take them from its caller. */
function assertScopes({ scopes = [] }: WantedToken): void {
  const wrong = scopes.find((scope) => !isScope(scope));
  if (wrong === undefined) return;
  throw new TypeError(`The member "scopes" has ${quoteValue(wrong)}: each must be a scope, without spaces`);
}

/** Faults are grouped by their remedy, because an authorization server may invent any number of names. */
function nameFault(error: unknown): string {
  if (error instanceof UnexchangeableTokenError) return error.message;
  if (!(error instanceof TokenEndpointError)) return 'unavailable';
  return Object.hasOwn(REMEDIES, error.error) ? error.error : 'other';
}

function explain(error: unknown): string {
  if (!(error instanceof TokenEndpointError))
    return error instanceof Error ? error.message : quoteValue(error);
  const { error: name, status, description, claims } = error;
  const said = description === undefined ? '' : ` (${quoteValue(description)})`;
  const wanted = claims === undefined ? '' : `, and asks for the claims ${quoteValue(claims)}`;
  const remedy = Object.hasOwn(REMEDIES, name) ? `: ${REMEDIES[name]}` : '';
  return `the authorization server answered with status ${status} and ${quoteValue(name)}${said}${wanted}${remedy}`;
}
