import { describeFailure } from '../../core/log/describe-failure.js';
import { Logger } from '../../core/logger/logger.js';
import { AuthError } from '../../core/oauth/auth.error.js';
import type { Challenges } from '../../core/oauth/challenges.js';
import { maskSecret } from '../../core/oauth/mask-secret.js';
import type { RefusalRecorder } from '../audit/refusal-recorder.js';
import type { Authentication } from '../context/authentication.js';
import { buildLogSubject, formatLine } from '../log/format-line.js';
import type { CallerEnd, CallerPart } from '../sessions/callers/caller-end.js';
import { isMeant } from '../sessions/callers/caller-filter.js';
import type { EndedOfCaller } from '../sessions/callers/mcp-sessions.interface.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { RequestSpan, RequestTracing } from '../telemetry/request-tracing.js';
import type { ServerTelemetry } from '../telemetry/server-telemetry.js';
import type { AuthRoutes } from './auth-routes.js';
import type { TokenOrigin, TokenSource } from './authorization-header.js';
import { CallerCache } from './caller-cache.js';
import { recordCaller } from './request-span.js';
import type { DpopVerifier } from './dpop/dpop-verifier.js';
import { AuthUnavailableError, InvalidTokenError, RefusedProofError } from './errors.js';
import type { TokenExchanger } from './exchange/token-exchanger.js';
import type { UpstreamAccess } from './exchange/upstream-access.js';
import { quoteValue } from './quote-value.js';
import { BoundTokenError } from './validators/build-authentication.js';
import type { ValidatorChain } from './validators/validator-chain.js';
import type {
  MatchesCaller,
  ReusableValidation,
  Outcome,
  Validated,
} from './validators/validator.interface.js';

/** Milliseconds between two log lines about tokens that could not be checked. */
const PAUSE_MS = 10_000;

/** The source of a token whose request is unknown. */
const NOWHERE: TokenSource = Object.freeze({});

/** The parts that process tokens. */
interface TokenParts {
  readonly validators: ValidatorChain;
  readonly exchanger: TokenExchanger;
  readonly upstream?: UpstreamAccess;
  readonly dpop: DpopVerifier | undefined;
}

/** A token to be validated. */
interface ValidationRequest {
  readonly token: string;
  readonly span: RequestSpan | undefined;
  /** The request or the process that sent it. */
  readonly request: object | undefined;
  /** Why the previous validators did not recognize it. */
  readonly reasons: string[];
}

/** Authenticates callers with the server's token validators. */
export class McpAuthenticator {
  readonly #logger = new Logger('McpAuth');
  readonly #lastCallers = new CallerCache();
  /** When the last outage and the last failure of a validator were logged. */
  readonly #loggedAt = { warn: -Infinity, error: -Infinity };

  constructor(
    private readonly tokens: TokenParts,
    /** Creates the server's challenges. */
    readonly challenges: Challenges,
    /** The routes that the guard protects. */
    readonly routes: AuthRoutes,
    private readonly settings: ServerSettings,
    readonly tracing: RequestTracing | undefined,
    private readonly telemetry?: ServerTelemetry,
    /** Records the guard's refusals on application routes. */
    readonly refusals?: RefusalRecorder,
  ) {}

  /** Checks DPoP-bound tokens; absent if the server accepts none. */
  get dpop(): DpopVerifier | undefined {
    return this.tokens.dpop;
  }

  /** Whether the server requires tokens. */
  get isConfigured(): boolean {
    return this.settings.auth !== undefined;
  }

  /**
   * Validates a token. A cached result is returned synchronously.
   *
   * @param source the request or the process that sent the token. Its address limits how many invented tokens are
   *   checked. With the header and the connection, {@link recall} can recognize the caller later
   * @throws {AuthError} 401 if the token is not valid, thrown or as a rejection
   * @throws {AuthUnavailableError} if the token cannot be checked at the moment, thrown or as a rejection
   */
  authenticate(
    token: string,
    span?: RequestSpan,
    source: TokenOrigin | TokenSource = NOWHERE,
  ): Authentication | Promise<Authentication> {
    try {
      const asked = this.#ask({ token, span, request: source.request, reasons: [] }, 0);
      if (!(asked instanceof Promise)) {
        const proving = this.dpop?.check(asked.authentication, token, source);
        if (proving !== undefined) return this.#finish(this.#prove(asked, proving), token, source);
        const authentication = this.#admit(asked, token);
        // Asynchronous results are not remembered. The application's own validator is always asynchronous, so it is
        // called each time.
        if ('connection' in source && 'isCurrent' in asked) this.#lastCallers.remember(source, asked);
        return authentication;
      }
      const proven = this.dpop === undefined ? asked : this.#proveLater(asked, token, source);
      return this.#finish(proven, token, source);
    } catch (error) {
      throw this.#refuse(error, token, source);
    }
  }

  /**
   * Returns a request's caller, if {@link authenticate} has recognized its token twice over this connection, or else
   * `undefined`. A subclass that overrides {@link authenticate} is called each time, because it may check more.
   */
  recall(origin: TokenOrigin, span?: RequestSpan): Authentication | undefined {
    if (this.authenticate !== McpAuthenticator.prototype.authenticate) return undefined;
    const last = this.#lastCallers.recall(origin);
    if (last !== undefined) this.telemetry?.recordToken('cached');
    if (last === undefined || span === undefined) return last?.authentication;
    const { authentication, isCached } = last;
    span.set('mcp.auth.method', authentication.method);
    recordCaller(span, authentication, isCached);
    return authentication;
  }

  /**
   * Clears all validated tokens and the tokens that they were exchanged for. Call it after a key or secret has
   * leaked.
   */
  clearCache(): void {
    for (const validator of this.tokens.validators.all) validator.clear?.();
    this.tokens.exchanger.clear();
    this.#lastCallers.clear();
  }

  /** Clears the validated tokens of some callers, and the tokens that they were exchanged for. */
  forget(isTheirs: MatchesCaller): void {
    for (const validator of this.tokens.validators.all) validator.forget?.(isTheirs);
    this.tokens.exchanger.forget(isTheirs);
  }

  async #prove(asked: Validated, proving: Promise<void>): Promise<Validated> {
    await proving;
    return asked;
  }

  async #proveLater(asked: Promise<Validated>, token: string, source: TokenSource): Promise<Validated> {
    const validated = await asked;
    await this.dpop?.check(validated.authentication, token, source);
    return validated;
  }

  #finish(asked: Promise<Validated>, token: string, source: TokenSource): Promise<Authentication> {
    return asked.then(
      (settled) => this.#admit(settled, token),
      (error: unknown) => {
        throw this.#refuse(error, token, source);
      },
    );
  }

  #admit({ authentication, isCached }: Validated, token: string): Authentication {
    this.telemetry?.recordToken(isCached ? 'cached' : 'validated');
    this.tokens.exchanger.allow(authentication, token);
    this.tokens.upstream?.allow(authentication);
    return authentication;
  }

  /** Runs the validators in order, starting at an index, until one of them recognizes the token. */
  #ask(question: ValidationRequest, index: number): Validated | ReusableValidation | Promise<Validated> {
    const validator = this.tokens.validators.all[index];
    if (validator === undefined) throw new InvalidTokenError([...new Set(question.reasons)].join('; '));
    question.span?.set('mcp.auth.method', validator.method);
    const outcome = validator.validate(question.token, question.span, question.request);
    if (outcome instanceof Promise) {
      return outcome.then((settled) => take(settled, question) ?? this.#ask(question, index + 1));
    }
    return take(outcome, question) ?? this.#ask(question, index + 1);
  }

  #refuse(error: unknown, token: string, source: TokenSource): AuthError | AuthUnavailableError {
    const refusal = this.#explain(error, token, source);
    this.telemetry?.recordToken(refusal instanceof AuthError ? 'refused' : 'unavailable');
    return refusal;
  }

  #explain(
    error: unknown,
    token: string,
    { request, scheme }: TokenSource,
  ): AuthError | AuthUnavailableError {
    if (error instanceof AuthError) return error;
    const subject = buildLogSubject(request);
    if (error instanceof InvalidTokenError) {
      this.#logger.debug(formatLine(`A token was refused: ${hide(token, error.reason)}`, subject));
      const description = error instanceof BoundTokenError ? error.description : undefined;
      return this.challenges.invalidToken({ scheme, description });
    }
    if (error instanceof RefusedProofError) {
      const { description, code } = error;
      this.#logger.debug(formatLine(`A token was refused: ${hide(token, description)}`, subject));
      const isMisplaced = scheme !== 'DPoP';
      return this.challenges.invalidToken({ scheme, error: code, description, isMisplaced });
    }
    if (error instanceof AuthUnavailableError) {
      this.#tell('warn', formatLine(`A token could not be checked: ${hide(token, explain(error))}`, subject));
      return error;
    }
    // Any client may send a token that makes the validator fail. A validator whose backend is down throws an
    // `AuthUnavailableError`.
    const unavailable = new AuthUnavailableError('a validator failed', { cause: error, httpStatus: 429 });
    const { stack } = describeFailure(error);
    const message = `A token could not be checked: ${hide(token, explain(unavailable))}`;
    this.#tell('error', formatLine(message, subject), ...(stack === undefined ? [] : [hide(token, stack)]));
    return unavailable;
  }

  /** Limits the log lines during a long outage. */
  #tell(level: 'warn' | 'error', message: string, ...stack: readonly string[]): void {
    const now = performance.now();
    if (now - this.#loggedAt[level] < PAUSE_MS) return;
    this.#loggedAt[level] = now;
    this.#logger[level](message, ...stack);
  }
}

/** Returns the validated token, or `undefined` if the validator does not recognize it. */
function take(
  outcome: Outcome,
  { span, reasons }: ValidationRequest,
): Validated | ReusableValidation | undefined {
  if ('unrecognized' in outcome) {
    reasons.push(outcome.unrecognized);
    return undefined;
  }
  if (span !== undefined) recordCaller(span, outcome.authentication, outcome.isCached);
  return outcome;
}

/** Masks the token, which the application's own validator may quote in its error. */
function hide(token: string, text: string): string {
  return maskSecret(text, token, '[token]');
}

function explain({ message, cause }: Error): string {
  if (cause === undefined) return message;
  return `${message} (${cause instanceof Error ? cause.message : quoteValue(cause)})`;
}

/** Clears the cached tokens of logged-out callers, which are validated again. */
export class LoggedOutTokens implements CallerPart {
  constructor(private readonly authenticator: McpAuthenticator) {}

  endOf({ terms }: CallerEnd): Partial<EndedOfCaller> {
    this.authenticator.forget((authentication) => isMeant(terms, authentication));
    return {};
  }
}
