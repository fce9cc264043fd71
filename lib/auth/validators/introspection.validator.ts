import type { IntrospectionSettings } from '../../settings/auth-settings.js';
import { InvalidTokenError } from './invalid-token.error.js';
import type { Outcome, Validator } from './validator.interface.js';

/** To be written. */
export class IntrospectionValidator implements Validator {
  readonly method = 'introspection';

  constructor(private readonly settings: IntrospectionSettings) {}

  validate(token: string): Outcome {
    void this.settings;
    throw new InvalidTokenError(`not validated yet (${token.length})`);
  }
}
