import type { DpopOptions } from './auth-options.interface.js';
import { onlyGiven } from './only-given.js';

/** The settings of bound tokens with every default filled in. */
export type DpopSettings = Required<DpopOptions>;

/** What clients sign proofs with; they take the first that they know. */
const ALGORITHMS: readonly string[] = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256'];

/** How far apart the clocks of client and server may be (SEP-1932, "DPoP Proof Validity Window"). */
export const LONGEST_WINDOW_SECONDS = 300;

/** Fills every default in. */
export function buildDpopSettings(given: DpopOptions['mode'] | DpopOptions): DpopSettings {
  const options = typeof given === 'string' ? { mode: given } : given;
  return {
    algorithms: ALGORITHMS,
    windowSeconds: LONGEST_WINDOW_SECONDS,
    nonce: false,
    nonceLifetimeSeconds: 300,
    ...onlyGiven(options),
    mode: options.mode,
  };
}
