/** Tells whether the end of an option `acceptFormerFormatUntil` is still to come. */
export function isStillAccepted(until: string | undefined): boolean {
  return until !== undefined && Date.now() < Date.parse(until);
}
