/** Returns whether the deadline of an `acceptFormerFormatUntil` option lies in the future. */
export function isStillAccepted(until: string | undefined): boolean {
  return until !== undefined && Date.now() < Date.parse(until);
}
