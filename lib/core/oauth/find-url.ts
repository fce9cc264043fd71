/**
 * Parses a URL. Returns `undefined` for anything else.
 *
 * It does not use `URL.canParse`: after some thousand calls, Node 20 and 22 wrongly accept invalid URLs with non-ASCII
 * letters.
 */
export function findUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
