/**
 * Encodes a path of folders and a file for a URI: each name stays one segment.
 *
 * @example
 * encodePath('references/Forms & Fees.md'); // references/Forms%20%26%20Fees.md
 */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Decodes the path. Returns `undefined` if it is not encoded as {@link encodePath} does. */
export function decodePath(encoded: string): string | undefined {
  try {
    const path = encoded.split('/').map(decodeURIComponent).join('/');
    const isWhole = encoded.split('/').every((segment) => segment !== '');
    return isWhole && encodePath(path) === encoded ? path : undefined;
  } catch {
    return undefined;
  }
}
