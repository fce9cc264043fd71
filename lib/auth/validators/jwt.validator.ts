import type { JwtSettings } from '../../settings/auth-settings.js';
import { InvalidTokenError } from './invalid-token.error.js';
import type { Outcome, Validator } from './validator.interface.js';

/** To be written. */
export class JwtValidator implements Validator {
  readonly method = 'jwt';

  constructor(private readonly settings: JwtSettings) {}

  validate(token: string): Outcome {
    void this.settings;
    throw new InvalidTokenError(`not validated yet (${token.length})`);
  }
}
