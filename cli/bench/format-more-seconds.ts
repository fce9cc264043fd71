import { AMOUNTS } from './bench-options.js';

/** Says how to give a measurement twice the time that was not enough, as it is typed. */
export function formatMoreSeconds(seconds: number): string {
  const { most } = AMOUNTS.seconds;
  return seconds < most
    ? `give more time by "--seconds ${Math.min(2 * seconds, most)}"`
    : `"--seconds" takes no more than ${most}`;
}
