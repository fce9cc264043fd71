import { hash } from 'node:crypto';
import { completeClaims } from '../../../core/oauth/access-token.js';
import { isSameSecret } from '../../../core/sealing/hmac-sha256.js';
import type { Authentication } from '../../context/authentication.js';
import type { BearerOptions } from '../../settings/auth/auth-options.js';
import { buildAuthentication } from './build-authentication.js';
import type { ReusableValidation, Outcome, Validator } from './validator.interface.js';

interface FixedToken {
  readonly digest: Buffer;
  readonly known: ReusableValidation;
}

/** The caller for a fixed token, which is valid while the server runs. */
class FixedCaller implements ReusableValidation {
  readonly isCached = false;

  constructor(readonly authentication: Authentication) {}

  isCurrent(): boolean {
    return true;
  }
}

/**
 * Validates fixed tokens. Comparing tokens of the same length takes constant time, regardless of whether and where
 * they differ.
 */
export class StaticBearerValidator implements Validator {
  readonly method = 'bearer';
  readonly #fixed: readonly FixedToken[];

  constructor(tokens: readonly BearerOptions[]) {
    this.#fixed = tokens.map(({ token, subject, scopes = [] }) => {
      const claims = completeClaims({ ...(subject !== undefined && { sub: subject }), scopes });
      const authentication = buildAuthentication({ method: this.method, claims, token });
      return { digest: digest(token), known: new FixedCaller(authentication) };
    });
  }

  validate(token: string): Outcome {
    const given = digest(token);
    let found: ReusableValidation | undefined;
    for (const { digest: expected, known } of this.#fixed) {
      if (isSameSecret(expected, given)) found = known;
    }
    return found ?? { unrecognized: 'it does not match any fixed token' };
  }
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
