import { computeExpiryMargin } from '../../../core/oauth/access-token.js';
import { isMoved } from '../../../core/oauth/http-status.js';
import { mergeScopes } from '../../../core/oauth/scope.js';
import type { ClientIdentity } from '../../../core/oauth/token-endpoint/client-identity.js';
import type { TokenResponse } from '../../../core/oauth/token-endpoint/request-token.js';
import { CachedPromise } from '../../../core/async/promises.js';
import type { AuthorizationChallenge } from '../authorization-headers.js';
import { DpopKey, DpopProof } from '../dpop.js';
import { NoAnswerError, NoTokenYetError, TokenRequestRefusedError } from '../errors.js';
import { warnOfUnsafeOptions } from '../unsafe-options.js';
import type { RequestProof, TokenSource } from '../token-source.js';
import type { GrantOptions } from './grant-options.js';
import { GrantTargets, type GrantTarget } from './grant-target.js';
import { assertSendable } from './request-grant.js';

interface CurrentTokenParts {
  readonly answer: TokenResponse;
  /** The requested scopes. */
  readonly scopes: readonly string[];
  readonly askedAtMs: number;
  readonly proof: DpopProof | undefined;
}

/** The current token. */
class CurrentToken {
  /** The proof that is sent with it, if it is bound to a key. */
  readonly proof: DpopProof | undefined;
  readonly #accessToken: string;
  readonly #scopes: ReadonlySet<string>;
  readonly #renewAtMs: number;
  #isInsufficient = false;

  constructor({ answer, scopes, askedAtMs, proof }: CurrentTokenParts) {
    const { accessToken, tokenType, expiresInSeconds = Infinity, scopes: granted = [] } = answer;
    const lifetimeMs = expiresInSeconds * 1000;
    this.#accessToken = accessToken;
    this.#scopes = new Set([...scopes, ...granted]);
    this.#renewAtMs = askedAtMs + lifetimeMs - computeExpiryMargin(lifetimeMs);
    this.proof = tokenType === 'dpop' ? proof : undefined;
  }

  get accessToken(): string {
    return this.#accessToken;
  }

  get isFresh(): boolean {
    return Date.now() < this.#renewAtMs;
  }

  /** Returns whether requesting these scopes would change nothing. This is false for a token that was refused for missing scopes. */
  allows(scopes: readonly string[]): boolean {
    return this.isFresh && !this.#isInsufficient && scopes.every((scope) => this.#scopes.has(scope));
  }

  /** Records that the server requires more scopes. The token remains valid for its own scopes. */
  markInsufficient(): void {
    this.#isInsufficient = true;
  }
}

/** A token to request. */
export interface Grant {
  readonly target: GrantTarget;
  readonly scopes: readonly string[];
  /** The key that the token is bound to; absent for bearer tokens. */
  readonly proof: DpopProof | undefined;
}

/** A pending request, shared by callers that need no further scopes. */
interface Flight {
  readonly scopes: readonly string[];
  readonly promise: Promise<CurrentToken>;
}

/**
 * Gets tokens for one server with a grant that needs no user interaction: when the server first requires one, and
 * when it expires. Concurrent callers share one request.
 */
export abstract class GrantTokenSource implements TokenSource {
  readonly #targets: GrantTargets;
  readonly #target = new CachedPromise<GrantTarget>(() => this.#targets.find(this.#challenge));
  readonly #dpop: DpopKey | boolean | undefined;
  #proof: Promise<DpopProof> | undefined;
  #current: CurrentToken | undefined;
  #flight: Flight | undefined;
  #isChallenged = false;
  #challenge: AuthorizationChallenge | undefined;
  #challengedScopes: readonly string[] = [];
  /** All scopes requested so far. */
  #requestedScopes: readonly string[];

  /**
   * @throws {TypeError} if an option is invalid
   * @throws {InsecureEndpointError} if a URL is not secure
   */
  constructor(options: GrantOptions & Pick<ClientIdentity, 'assertionAudience'>) {
    this.#targets = new GrantTargets(options);
    this.#dpop = options.dpop;
    this.#requestedScopes = options.scopes ?? [];
    warnOfUnsafeOptions(options);
  }

  /** Sends one token request. */
  protected abstract request(grant: Grant): Promise<TokenResponse>;

  get proof(): RequestProof | undefined {
    return this.#current?.proof;
  }

  async token(): Promise<string> {
    if (!this.#isChallenged) throw new NoTokenYetError();
    if (this.#current?.isFresh === true) return this.#current.accessToken;
    return this.#obtain([]);
  }

  async tokenForScopes(scopes: readonly string[]): Promise<string> {
    this.#isChallenged = true;
    return this.#obtain(scopes.length === 0 ? this.#challengedScopes : scopes);
  }

  async respond(challenge: AuthorizationChallenge): Promise<void> {
    const { status, scopes, refusedToken } = challenge;
    this.#isChallenged = true;
    this.#challengedScopes = scopes;
    const isCurrent = refusedToken !== undefined && this.#current?.accessToken === refusedToken;
    if (status === 403) {
      if (isCurrent) this.#current?.markInsufficient();
      return;
    }
    this.#challenge = challenge;
    this.#target.forget();
    if (isCurrent) this.#current = undefined;
  }

  async #obtain(scopes: readonly string[]): Promise<string> {
    for (;;) {
      if (this.#current?.allows(scopes) === true) return this.#current.accessToken;
      const flight = this.#flight ?? this.#start(scopes);
      if (scopes.every((scope) => flight.scopes.includes(scope))) return (await flight.promise).accessToken;
      await flight.promise.catch(() => undefined);
    }
  }

  #start(added: readonly string[]): Flight {
    const scopes = mergeScopes(this.#requestedScopes, added);
    const promise = this.#acquire(scopes).finally(() => (this.#flight = undefined));
    this.#flight = { scopes, promise };
    return this.#flight;
  }

  async #acquire(wanted: readonly string[]): Promise<CurrentToken> {
    const target = await this.#target.get();
    const scopes = wanted.length === 0 ? target.scopesSupported : wanted;
    const proof = await this.#findProof(target);
    const askedAtMs = Date.now();
    const answer = await this.#ask({ target, scopes, proof });
    this.#requestedScopes = scopes;
    this.#current = new CurrentToken({ answer, scopes, askedAtMs, proof });
    return this.#current;
  }

  /** An assumed endpoint is discovered again until it issues a token, because the server's metadata may reappear. */
  async #ask(grant: Grant): Promise<TokenResponse> {
    const { target, proof } = grant;
    try {
      const answer = await this.request(grant);
      assertSendable(answer, { tokenEndpoint: target.server.token_endpoint, proof });
      this.#targets.confirm(target);
      return answer;
    } catch (error) {
      // Discover again, because the server may use a different authorization server now.
      if (target.isAssumed === true || isEndpointGone(error)) this.#target.forget();
      throw error;
    }
  }

  async #findProof({ bindsTokens = false }: GrantTarget): Promise<DpopProof | undefined> {
    if (!(this.#dpop ?? bindsTokens)) return undefined;
    this.#proof ??= this.#makeProof();
    return this.#proof;
  }

  async #makeProof(): Promise<DpopProof> {
    return new DpopProof(typeof this.#dpop === 'object' ? this.#dpop : await DpopKey.generate());
  }
}

/** Returns whether a token request failed because the endpoint does not exist or does not respond. */
export function isEndpointGone(error: unknown): boolean {
  if (error instanceof TokenRequestRefusedError) return isMoved(error.status);
  return error instanceof NoAnswerError;
}
