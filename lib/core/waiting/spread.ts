/** The maximum extension of a wait, as a fraction. */
const MOST = 0.5;

/** Extends a wait randomly by up to half, so that clients that get it together do not reconnect together. */
export function addJitter(wait: number): number {
  return Math.round(wait * (1 + MOST * Math.random()));
}
