/** A shorter secret is quickly guessed, and cannot be distinguished from other text. */
const SHORTEST_SECRET = 4;

/**
 * Puts a mark wherever a text has a secret. Instead of a few letters the marks would say which they are, and nobody could
 * read the rest.
 */
export function maskSecret(text: string, secret: string, mark: string): string {
  return secret.length < SHORTEST_SECRET ? text : text.replaceAll(secret, mark);
}
