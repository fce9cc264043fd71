import { AMOUNTS } from './bench-options.js';

/** Suggests doubling a duration that was too short. */
export function formatMoreSeconds(seconds: number): string {
  const { most } = AMOUNTS.seconds;
  return seconds < most
    ? `allow more time with "--seconds ${Math.min(2 * seconds, most)}"`
    : `the maximum of "--seconds" is ${most}`;
}
