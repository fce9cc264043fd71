/** A token of RFC 6750 §2.1. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Finds what an `Authorization` header brings in the scheme `Bearer`: {@link isBearerToken} tells whether it can be a token.
 *
 * A caller that sends the same token again and again is known by it: looking at every character first would cost as much.
 *
 * @returns nothing where the header is of another scheme, or brings nothing
 * @see RFC 6750 §2.1, RFC 9110 §11.1
 */
export function findBearerCredentials(header: string): string | undefined {
  if (!/^bearer /i.test(header)) return undefined;
  let begin = 'bearer '.length;
  let end = header.length;
  while (header[begin] === ' ') begin += 1;
  while (end > begin && header[end - 1] === ' ') end -= 1;
  return begin === end ? undefined : header.slice(begin, end);
}

/** Tells whether a text is a token as RFC 6750 §2.1 has it. */
export function isBearerToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Tells whether an `Authorization` header is of the scheme `Bearer`, well-formed or not. */
export function isOfBearerScheme(header: string): boolean {
  return /^bearer(?:\s|$)/i.test(header);
}
