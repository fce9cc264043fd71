import { completeClaims, type GivenClaims } from '../../../core/oauth/access-token.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { withTimeout } from '../../../core/async/timeouts.js';
import type { TokenValidator } from '../../settings/auth/auth-options.js';
import { quoteValue } from '../quote-value.js';
import { AuthUnavailableError, InvalidTokenError } from '../errors.js';
import { buildAuthentication } from './build-authentication.js';
import type { Outcome, Validator } from './validator.interface.js';

/** The claims that distinguish callers. An empty value would merge all unnamed callers into one. */
const NAMES = ['sub', 'iss', 'clientId'] as const;

/** Calls the application's own validator, which may have its own cache. */
export class CustomValidator implements Validator {
  readonly method = 'custom';
  /** The number of responses, including refusals. */
  #answers = 0;

  constructor(
    private readonly validator: TokenValidator,
    /** The time limit. @default none */
    private readonly timeoutMs?: number,
    /** Whether tokens may be DPoP-bound, which the application indicates with `cnf` in `extra`. */
    private readonly takesDpop = false,
  ) {}

  async validate(token: string): Promise<Outcome> {
    const given: unknown = await this.#ask(token);
    // Many databases return `null` for a missing row.
    if (given === undefined || given === null) {
      return { unrecognized: "the application's validator does not recognize it" };
    }
    assertClaims(given);
    const claims = completeClaims(given);
    if (claims.expiresAt !== undefined && claims.expiresAt * 1000 <= Date.now()) {
      throw new InvalidTokenError(`"expiresAt" is ${claims.expiresAt}, which is in the past`);
    }
    const { method, takesDpop } = this;
    return { authentication: buildAuthentication({ method, claims, token, takesDpop }), isCached: false };
  }

  async #ask(token: string): Promise<unknown> {
    const { timeoutMs } = this;
    if (timeoutMs === undefined) return this.validator.validate(token);
    const answersBefore = this.#answers;
    const asked = Promise.resolve(this.validator.validate(token)).finally(() => (this.#answers += 1));
    const text = `the application's validator took longer than ${timeoutMs} ms`;
    return withTimeout<unknown>(asked, timeoutMs, () => {
      // If it has responded to other requests in the meantime, the cause may be this token or the number of tokens.
      return new AuthUnavailableError(text, { httpStatus: this.#answers > answersBefore ? 429 : 503 });
    });
  }
}

/** A validator without types may return anything. */
function assertClaims(given: unknown): asserts given is GivenClaims {
  if (!isObject(given)) {
    throw new TypeError(
      `the application's validator returned ${typeof given}: return claims, or undefined to reject the token`,
    );
  }
  for (const name of NAMES) assertName(name, given[name]);
  const { scopes = [], expiresAt = 0 } = given;
  if (!Array.isArray(scopes)) {
    throw new TypeError(`the application's validator returned ${typeof scopes} as "scopes": return an array`);
  }
  if (!Number.isFinite(expiresAt)) {
    throw new TypeError(
      `the application's validator returned ${quoteValue(expiresAt)} as "expiresAt": return seconds since the epoch`,
    );
  }
}

function assertName(name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'string' && value !== '')) return;
  throw new TypeError(
    `the application's validator returned ${quoteValue(value)} as "${name}": return a string, or omit it`,
  );
}
