/**
 * Reads a URL. Returns `undefined` if the text is not one.
 *
 * `URL.canParse` is not used: after some thousand calls, Node 20 and 22 wrongly accept invalid URLs with letters beyond
 * ASCII.
 */
export function findUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
