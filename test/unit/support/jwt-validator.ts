import { JwtValidator } from '../../../lib/server/auth/validators/jwt/jwt.validator.js';
import type {
  Outcome,
  Validated,
  Validator,
} from '../../../lib/server/auth/validators/validator.interface.js';
import type { JwtOptions, JwtSettings } from '../../../lib/server/settings/auth/jwt-options.js';
import { buildAuthSettings } from '../../../lib/server/settings/auth/auth-options.js';
import { AUDIENCE, type TestIssuer } from '../../support/authorization/issuer.js';

/** Builds the settings that a server for the tokens of an issuer has. */
export function buildJwtSettings(issuer: { readonly url: string }, jwt: JwtOptions = {}): JwtSettings {
  const options = { resourceUri: AUDIENCE, authorizationServers: [issuer.url], jwt };
  const [settings] = buildAuthSettings(options).jwt;
  if (settings === undefined) throw new Error('There are no settings');
  return settings;
}

/** Creates the validator that a server for the tokens of an issuer has. */
export function createJwtValidator(issuer: TestIssuer, jwt: JwtOptions = {}): JwtValidator {
  return new JwtValidator(buildJwtSettings(issuer, { jwksUrl: issuer.jwksUrl, ...jwt }));
}

/** Gives what a validator makes of a token that it takes. */
export async function accept(validator: Validator, token: string): Promise<Validated> {
  const outcome = await validator.validate(token);
  if ('unrecognized' in outcome) throw new Error(`It is not recognized: ${outcome.unrecognized}`);
  return outcome;
}

/** Gives what a validator makes of a token: an outcome, or the error that it ends with at once or later. */
export async function outcomeOf(validator: Validator, token: string): Promise<Outcome | Error> {
  try {
    return await validator.validate(token);
  } catch (error) {
    return error as Error;
  }
}

/** Gives why a validator refuses a token as no good. */
export async function refusalOf(validator: Validator, token: string): Promise<string> {
  const outcome = await outcomeOf(validator, token);
  if (outcome instanceof Error && 'reason' in outcome) return String(outcome.reason);
  throw new Error('It is not refused', { cause: outcome });
}
