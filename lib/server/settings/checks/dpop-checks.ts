import {
  assertMembers,
  either,
  fail,
  flag,
  oneOf,
  positive,
  required,
  several,
  type Check,
} from '../../../core/checks/option-checks.js';
import type { AuthOptions, DpopOptions } from '../auth-options.interface.js';
import { ASYMMETRIC_ALGORITHMS } from '../auth-settings.js';
import { LONGEST_WINDOW_SECONDS } from '../dpop-settings.js';

const mode = oneOf('allowed', 'required');

const windowSeconds: Check = (option, value) => {
  positive(option, value);
  if (Number(value) > LONGEST_WINDOW_SECONDS) fail(option, `must be at most ${LONGEST_WINDOW_SECONDS}`);
};

/** Checks the option `auth.dpop`, as far as it does not depend on others. */
export const dpop: Check = either('string', mode, (option, value) => {
  assertMembers(option, value, {
    mode: required(mode, '"required"'),
    algorithms: several(oneOf(...ASYMMETRIC_ALGORITHMS)),
    windowSeconds,
    nonce: flag,
    nonceLifetimeSeconds: positive,
  });
  const { nonce, nonceLifetimeSeconds } = value as DpopOptions;
  if (nonce === true || nonceLifetimeSeconds === undefined) return;
  fail(`${option}.nonceLifetimeSeconds`, 'has no effect without "nonce": set that to true');
});

/** Refuses what could not work: fixed tokens are bound to no key. */
export function assertBindable(option: string, { dpop: given, bearer, ...auth }: AuthOptions): void {
  if (given === undefined) return;
  const validators = ['jwt', 'validator', 'introspection'] as const;
  if (validators.every((name) => auth[name] === undefined)) {
    fail(`${option}.dpop`, 'needs "jwt", "introspection" or "validator": fixed tokens are bound to no key');
  }
  const isRequired = (typeof given === 'string' ? given : given.mode) === 'required';
  if (!isRequired || bearer === undefined) return;
  fail(`${option}.bearer`, 'can be used by nobody if "dpop" is "required": leave it out, or write "allowed"');
}

/**
 * Checks that it is known which URL proofs must name.
 *
 * @throws {OptionError} if neither option says so
 */
export function assertTargetNamed(auth: AuthOptions | undefined, publicUrl: string | undefined): void {
  if (auth?.dpop === undefined || auth.resourceUri !== undefined || publicUrl !== undefined) return;
  fail(
    'publicUrl',
    'is required with "auth.dpop": write the URL by which clients know the endpoint, which proofs name',
  );
}
