import { computeEndMargin } from '../../../core/oauth/end-margin.js';
import type { TokenAnswer } from '../../../core/oauth/token-endpoint/request-token.js';
import type { DpopProof } from '../dpop/dpop-proof.js';

interface HeldParts {
  readonly answer: TokenAnswer;
  /** The scopes that were asked for. */
  readonly scopes: readonly string[];
  readonly askedAtMs: number;
  readonly proof: DpopProof | undefined;
}

/** A token at hand. */
export class HeldToken {
  /** What goes with it if it is bound to a key. */
  readonly proof: DpopProof | undefined;
  readonly #accessToken: string;
  readonly #scopes: ReadonlySet<string>;
  readonly #renewAtMs: number;
  #isInsufficient = false;

  constructor({ answer, scopes, askedAtMs, proof }: HeldParts) {
    const { accessToken, tokenType, expiresInSeconds = Infinity, scopes: granted = [] } = answer;
    const lifetimeMs = expiresInSeconds * 1000;
    this.#accessToken = accessToken;
    this.#scopes = new Set([...scopes, ...granted]);
    this.#renewAtMs = askedAtMs + lifetimeMs - computeEndMargin(lifetimeMs);
    this.proof = tokenType === 'dpop' ? proof : undefined;
  }

  get accessToken(): string {
    return this.#accessToken;
  }

  get isFresh(): boolean {
    return Date.now() < this.#renewAtMs;
  }

  /** Tells whether asking for these scopes would bring nothing new. A token that was refused for missing scopes is another case. */
  allows(scopes: readonly string[]): boolean {
    return this.isFresh && !this.#isInsufficient && scopes.every((scope) => this.#scopes.has(scope));
  }

  /** Notes that the server wants a token with more scopes. This token stays valid for its own scopes. */
  markInsufficient(): void {
    this.#isInsufficient = true;
  }
}
