/**
 * Tells whether two audiences are the same: URLs compare as URLs, with or without one trailing slash, anything else
 * exactly.
 *
 * @see RFC 8707 §2, RFC 7519 §4.1.3
 */
export function isSameAudience(expected: string, found: string): boolean {
  if (expected === found) return true;
  const [first, second] = [normalise(expected), normalise(found)];
  return first !== undefined && first === second;
}

/** Gives a URL in its one form; nothing where the text is none, or has a fragment. */
function normalise(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { origin, pathname, search, hash, username, password } = new URL(text);
  if (hash !== '' || username !== '' || password !== '') return undefined;
  return `${origin}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}${search}`;
}
