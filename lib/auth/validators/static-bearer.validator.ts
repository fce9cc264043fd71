import { hash, timingSafeEqual } from 'node:crypto';
import type { Authentication } from '../../context/authentication.interface.js';
import { completeClaims } from '../../oauth/claims.js';
import type { BearerOptions } from '../../settings/auth-options.interface.js';
import { buildAuthentication } from './build-authentication.js';
import type { Outcome, Validator } from './validator.interface.js';

interface KnownToken {
  readonly digest: Buffer;
  readonly authentication: Authentication;
}

/** Knows a few fixed tokens. It takes the same time for any token of the same length, whether and where it differs. */
export class StaticBearerValidator implements Validator {
  readonly method = 'bearer';
  readonly #known: readonly KnownToken[];

  constructor(tokens: readonly BearerOptions[]) {
    this.#known = tokens.map(({ token, subject, scopes = [] }) => {
      const claims = completeClaims({ ...(subject !== undefined && { sub: subject }), scopes });
      return { digest: digest(token), authentication: buildAuthentication(this.method, claims, token) };
    });
  }

  validate(token: string): Outcome {
    const given = digest(token);
    let found: Authentication | undefined;
    for (const { digest: known, authentication } of this.#known) {
      if (timingSafeEqual(known, given)) found = authentication;
    }
    if (found === undefined) return { unrecognised: 'it is none of the fixed tokens' };
    return { authentication: found, isCached: false };
  }
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
