/** By how much a wait may be longer than the shortest. */
const MOST = 0.5;

/** Makes a wait up to half as long again, so that those who are told to wait at the same moment do not come back at the same moment. */
export function spread(wait: number): number {
  return Math.round(wait * (1 + MOST * Math.random()));
}
