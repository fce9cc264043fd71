/** Returns whether the deadline in an `acceptFormerFormatUntil` option is in the future. */
export function isStillAccepted(until: string | undefined): boolean {
  return until !== undefined && Date.now() < Date.parse(until);
}
