const NO_URI_CHARACTER = /[\0-\x20"<>\\^`{|}\x7f-\x9f]|%(?![\dA-Fa-f]{2})|[\ud800-\udfff]/u;
const PIECE = /(?:%[\dA-Fa-f]{2})+|[^%]/gu;
const RESERVED = /[^\w\-.~\u0080-\u{10ffff}]/u;

/**
 * Splits a URI into its characters. A character that is percent-encoded without need equals the plain one (RFC 3986
 * §6.2.2.2). For others, `%` precedes the decoded character, so `%2F` is `'%/'` and never `/`.
 *
 * @returns nothing for malformed percent-encoding, bytes that are not UTF-8, and characters that URIs do not allow
 */
export function parseUriCharacters(uri: string): readonly string[] | undefined {
  if (NO_URI_CHARACTER.test(uri)) return undefined;
  if (!uri.includes('%')) return [...uri];
  const characters: string[] = [];
  for (const [piece] of uri.matchAll(PIECE)) {
    const decoded = piece.startsWith('%') ? decodeTriplets(piece) : [piece];
    if (decoded === undefined) return undefined;
    characters.push(...decoded);
  }
  return characters;
}

/** Finds the first character that URIs do not allow, except an apostrophe, which RFC 6570 §2.1 excludes too. */
export function findStrayCharacter(text: string): string | undefined {
  return NO_URI_CHARACTER.exec(text)?.[0];
}

/** Joins characters into a string. */
export function decodeCharacters(characters: readonly string[]): string {
  return characters.map((one) => (one.startsWith('%') ? one.slice(1) : one)).join('');
}

function decodeTriplets(triplets: string): string[] | undefined {
  try {
    return [...decodeURIComponent(triplets)].map((one) => (RESERVED.test(one) ? `%${one}` : one));
  } catch {
    return undefined;
  }
}
