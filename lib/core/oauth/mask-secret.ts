/** A shorter secret can be guessed quickly, and may occur in other words. */
const SHORTEST_SECRET = 4;

/**
 * Replaces a secret in a string. Replacing only a few letters would reveal them, and make the rest unreadable.
 */
export function maskSecret(text: string, secret: string, mark: string): string {
  return secret.length < SHORTEST_SECRET ? text : text.replaceAll(secret, mark);
}
