/**
 * Reads a URL; gives nothing if the text is none.
 *
 * `URL.canParse` is not asked first: once it has been called some thousand times, Node 20 and 22 let it take texts with letters
 * beyond ASCII for URLs that are none.
 */
export function findUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
