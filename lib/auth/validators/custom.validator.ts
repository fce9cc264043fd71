import { completeClaims } from '../../oauth/claims.js';
import type { TokenValidator } from '../../settings/auth-options.interface.js';
import { buildAuthentication } from './build-authentication.js';
import type { Outcome, Validator } from './validator.interface.js';

/** Asks a validator of the application's own; what it knows it may keep itself. */
export class CustomValidator implements Validator {
  readonly method = 'custom';

  constructor(private readonly validator: TokenValidator) {}

  async validate(token: string): Promise<Outcome> {
    const claims = await this.validator.validate(token);
    if (claims === undefined) return { unrecognised: "the application's validator does not know it" };
    return {
      authentication: buildAuthentication(this.method, completeClaims(claims), token),
      isCached: false,
    };
  }
}
