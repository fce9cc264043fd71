const ISO_TEXT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/;

/**
 * Tells whether a text is a date of ISO 8601, with or without a time, that exists.
 *
 * @see RFC 3339
 */
export function isIsoText(text: string): boolean {
  return ISO_TEXT.test(text) && !Number.isNaN(Date.parse(text)) && hasThatDay(text);
}

/** JavaScript takes the 30th of February for the 2nd of March. */
function hasThatDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).getUTCDate() >= day;
}
