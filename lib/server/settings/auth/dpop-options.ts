import * as check from '../../../core/checks/option-checks.js';
import type { Check } from '../../../core/checks/option-checks.js';
import { nested, optionGroup, type NestedRows, type Settings } from '../../../core/checks/option-group.js';
import { ASYMMETRIC_ALGORITHMS } from './jwt-options.js';

/**
 * Settings for tokens that are bound to a client's key.
 *
 * @example
 * auth: { authorizationServers, jwt: {}, dpop: { mode: 'required', nonce: true } }
 *
 * @see RFC 9449, SEP-1932
 */
export interface DpopOptions {
  /** Whether tokens that are not bound to a key are accepted (`allowed`) or rejected (`required`). */
  readonly mode: 'allowed' | 'required';
  /**
   * Accepted proof algorithms; only asymmetric ones are allowed. @default ES256, ES384, ES512, EdDSA, Ed25519, PS256,
   * RS256
   */
  readonly algorithms?: readonly string[];
  /**
   * The allowed difference between a proof's time and the server's clock, in seconds, in both directions; at most
   * 300. @default 300
   */
  readonly windowSeconds?: number;
  /**
   * Whether proofs require a nonce from the server, so that they cannot be prepared in advance. Clients must then
   * send their first request twice.
   * @default false
   * @see docs/dpop.md, "Nonces"
   */
  readonly nonce?: boolean;
  /** The maximum lifetime of a nonce, in seconds. A nonce is valid for at least half of it. @default 300 */
  readonly nonceLifetimeSeconds?: number;
}

/** The settings for bound tokens with all defaults applied. */
export type DpopSettings = Settings<DpopOptions>;

/** The proofs' signature algorithms. Clients use the first one that they support. */
const ALGORITHMS: readonly string[] = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256'];

/** How far apart the client's and the server's clocks may be (SEP-1932, "DPoP Proof Validity Window"). */
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
      check.fail(`${option}.nonceLifetimeSeconds`, 'has no effect without "nonce": set "nonce" to true');
    },
  },
);

/** How key-bound tokens are accepted. */
export const DPOP: NestedRows = nested(check.either('string', mode, MEMBERS.check), MEMBERS);

/** Applies all defaults. */
export function buildDpopSettings(given: DpopOptions['mode'] | DpopOptions): DpopSettings {
  return MEMBERS.build(typeof given === 'string' ? { mode: given } : given);
}
