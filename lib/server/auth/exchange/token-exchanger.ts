import { Logger } from '../../../core/logger/logger.js';
import { isSameIssuer } from '../../../core/oauth/metadata.js';
import { isScope } from '../../../core/oauth/scope.js';
import { TokenEndpointError } from '../../../core/oauth/token-endpoint/token-endpoint.error.js';
import type { AuthMethod, Authentication } from '../../context/authentication.js';
import { ExchangeRefusedError, ToolError } from '../../context/tool-errors.js';
import { type ExchangingCall, type RequestedToken, allowExchange } from '../../context/token-exchange.js';
import { formatLine, type LogSubject } from '../../log/format-line.js';
import type { TokenExchangeSettings } from '../../settings/auth/exchange-options.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { quoteValue } from '../quote-value.js';
import type { MatchesCaller } from '../validators/validator.interface.js';
import { ExchangeEndpoint } from './exchange-endpoint.js';
import { ExchangedTokenCache } from './exchanged-tokens.js';
import { explainRefusal, RefusalThrottle } from './exchange-refusals.js';
import { UnexchangeableTokenError } from '../errors.js';

/** The options for tokens that were not issued by an authorization server. */
const FOREIGN: { readonly [Method in AuthMethod]?: string } = {
  bearer: 'auth.bearer',
  custom: 'auth.validator',
};

/**
 * Makes sure that a caller's token is sent only to the authorization server that issued it, or to the configured
 * endpoint. For any other server, it is a secret that gives access to this one.
 *
 * @throws {UnexchangeableTokenError} if the token must not be sent
 */
function assertExchangeable(
  { method, claims: { iss } }: Authentication,
  { issuer, tokenEndpoint, ignoreIssuerSlash }: TokenExchangeSettings,
): void {
  const option = FOREIGN[method];
  if (option !== undefined) {
    throw new UnexchangeableTokenError(
      `the caller's token is validated by "${option}", expected "auth.jwt" or "auth.introspection": require callers of this tool to use a token from the authorization server`,
    );
  }
  if (tokenEndpoint !== undefined || iss === undefined) return;
  if (issuer !== undefined && isSameIssuer(issuer, iss, ignoreIssuerSlash)) return;
  throw new UnexchangeableTokenError(
    `the caller's token has ${quoteValue(iss)} as its "iss", but the endpoint belongs to ${quoteValue(issuer)}: set "auth.exchange.tokenEndpoint" if tokens from both issuers may be sent there`,
  );
}

/** The message for callers, regardless of the cause. */
const REFUSAL = 'The call cannot be made on your behalf at the moment';

/** The message for callers whose user can fix the problem. */
const REFUSAL_UNTIL_LOGIN = 'The call cannot be made on your behalf until you have logged in again';

/** The errors that the user can fix, by consenting or by authenticating again (OpenID Connect Core 1.0 §3.1.2.6). */
const INTERACTIVE: ReadonlySet<string> = new Set([
  'interaction_required',
  'consent_required',
  'login_required',
]);

/** A caller with the token from its request, and the endpoint that exchanges it. */
interface Subject {
  readonly endpoint: ExchangeEndpoint;
  readonly authentication: Authentication;
  readonly token: string;
}

/** Exchanges callers' tokens for tokens that other services accept, if `auth.exchange` is configured. */
export class TokenExchanger {
  readonly #logger = new Logger('McpAuth');
  readonly #endpoint: ExchangeEndpoint | undefined;
  readonly #tokens: ExchangedTokenCache;
  readonly #pauses = new RefusalThrottle();

  constructor({ auth }: ServerSettings) {
    this.#endpoint = auth?.exchange && new ExchangeEndpoint(auth.exchange);
    this.#tokens = new ExchangedTokenCache(auth?.exchange?.cacheSize ?? 1);
  }

  /** Lets handlers exchange the caller's token. */
  allow(authentication: Authentication, token: string): void {
    const endpoint = this.#endpoint;
    if (endpoint === undefined) return;
    const subject = { endpoint, authentication, token };
    allowExchange(authentication, () => (wanted, call) => this.#exchange(subject, wanted, call));
  }

  /** Clears the exchanged tokens. */
  clear(): void {
    this.#tokens.clear();
  }

  /** Clears the exchanged tokens of some callers. */
  forget(isTheirs: MatchesCaller): void {
    this.#tokens.forget(isTheirs);
  }

  async #exchange(
    { endpoint, authentication, token }: Subject,
    wanted: RequestedToken,
    call: ExchangingCall | undefined,
  ): Promise<string> {
    assertWanted(wanted);
    endpoint.assertSupported(wanted);
    const { expiresAt } = authentication.claims;
    try {
      assertExchangeable(authentication, endpoint.settings);
      const question = { caller: authentication, subjectToken: token, expiresAt, wanted };
      return await this.#tokens.get(question, () => endpoint.exchange(token, wanted));
    } catch (error) {
      throw this.#refuse(error, wanted, { ...pickSubject(call), authentication });
    }
  }

  #refuse(error: unknown, wanted: RequestedToken, subject: LogSubject): ToolError {
    const line = formatLine(`A token could not be exchanged: ${explainRefusal(error, wanted)}`, subject);
    if (this.#pauses.shouldWarn(error, wanted)) this.#logger.warn(line);
    else this.#logger.debug(line);
    return describe(error);
  }
}

function pickSubject({ http, session, method, params }: Partial<ExchangingCall> = {}): LogSubject {
  return { http, session, method, params };
}

/** The cause is only logged, because the authorization server's description is for the operator. */
function describe(error: unknown): ToolError {
  if (!(error instanceof TokenEndpointError)) return new ToolError(REFUSAL);
  const { error: name, claims } = error;
  const isInteractive = INTERACTIVE.has(name) || claims !== undefined;
  const message = isInteractive ? `${REFUSAL_UNTIL_LOGIN} (${quoteName(name)})` : REFUSAL;
  return new ExchangeRefusedError(message, { error: name, claims });
}

/** An unknown error code may be any string from the authorization server. */
function quoteName(name: string): string {
  return INTERACTIVE.has(name) ? name : 'interaction_required';
}

/** The requested token comes from the application, which may derive it from its caller. */
function assertWanted({ audience, resource, scopes = [] }: RequestedToken): void {
  assertTargets('audience', audience);
  assertTargets('resource', resource);
  if (!Array.isArray(scopes)) {
    throw new TypeError(
      `The property "scopes" is ${quoteValue(scopes)}: it must be an array of scopes, such as ["invoices:read"]`,
    );
  }
  const wrong: unknown = scopes.find((scope) => !isScope(scope));
  if (wrong === undefined) return;
  throw new TypeError(
    `The property "scopes" contains ${quoteValue(wrong)}: each item must be a scope, without spaces`,
  );
}

function assertTargets(member: 'audience' | 'resource', targets: RequestedToken['audience'] = []): void {
  const given: readonly unknown[] = Array.isArray(targets) ? targets : [targets];
  if (given.every((one) => typeof one === 'string')) return;
  throw new TypeError(
    `The property "${member}" is ${quoteValue(targets)}: it must be a string, or an array of strings`,
  );
}
