import * as check from '../../../core/checks/option-checks.js';
import type { Check } from '../../../core/checks/option-checks.js';
import { nested, optionGroup, type NestedRows, type Settings } from '../../../core/checks/option-group.js';
import { ASYMMETRIC_ALGORITHMS } from './jwt-options.js';

/**
 * Settings of tokens that are bound to a key of the client.
 *
 * @example
 * auth: { authorizationServers, jwt: {}, dpop: { mode: 'required', nonce: true } }
 *
 * @see RFC 9449, SEP-1932
 */
export interface DpopOptions {
  /** Whether tokens that are not bound to a key are accepted (`allowed`) or refused (`required`). */
  readonly mode: 'allowed' | 'required';
  /** Accepted algorithms of proofs: asymmetric ones only. @default ES256, ES384, ES512, EdDSA, Ed25519, PS256, RS256 */
  readonly algorithms?: readonly string[];
  /** The allowed difference between the time of a proof and the server's clock, in seconds, in both directions; 300 at most. @default 300 */
  readonly windowSeconds?: number;
  /**
   * Whether proofs need a nonce of the server, so that proofs cannot be prepared in advance. A client must then send
   * its first request twice.
   * @default false
   * @see docs/dpop.md, "Nonces"
   */
  readonly nonce?: boolean;
  /** The most seconds for which a nonce is valid. It is valid for at least half of them. @default 300 */
  readonly nonceLifetimeSeconds?: number;
}

/** The settings of bound tokens with every default filled in. */
export type DpopSettings = Settings<DpopOptions>;

/** The signature algorithms of proofs. Clients use the first one that they support. */
const ALGORITHMS: readonly string[] = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256'];

/** How far apart the clocks of client and server may be (SEP-1932, "DPoP Proof Validity Window"). */
export const LONGEST_WINDOW_SECONDS = 300;

const mode = check.oneOf('allowed', 'required');

const windowSeconds: Check = (option, value) => {
  check.positive(option, value);
  if (Number(value) > LONGEST_WINDOW_SECONDS) check.fail(option, `must be at most ${LONGEST_WINDOW_SECONDS}`);
};

const MEMBERS = optionGroup<DpopOptions>(
  {
    mode: check.required(mode, '"required"'),
    algorithms: [check.nonEmptyList(check.oneOf(...ASYMMETRIC_ALGORITHMS)), ALGORITHMS],
    windowSeconds: [windowSeconds, LONGEST_WINDOW_SECONDS],
    nonce: [check.flag, false],
    nonceLifetimeSeconds: [check.positive, 300],
  },
  {
    together: (option, { nonce, nonceLifetimeSeconds }) => {
      if (nonce === true || nonceLifetimeSeconds === undefined) return;
      check.fail(`${option}.nonceLifetimeSeconds`, 'has no effect without "nonce": set that to true');
    },
  },
);

/** How tokens that are bound to a key are accepted. */
export const DPOP: NestedRows = nested(check.either('string', mode, MEMBERS.check), MEMBERS);

/** Fills every default in. */
export function buildDpopSettings(given: DpopOptions['mode'] | DpopOptions): DpopSettings {
  return MEMBERS.build(typeof given === 'string' ? { mode: given } : given);
}
