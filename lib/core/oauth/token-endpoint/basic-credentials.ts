/**
 * Formats the `Authorization` header for a client and its secret, both form-encoded before they are joined.
 *
 * @see RFC 6749 §2.3.1, RFC 7617
 */
export function formatBasicCredentials(clientId: string, clientSecret: string): string {
  const credentials = [clientId, clientSecret].map(encodeForm).join(':');
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** Form-encodes a string. Only what must be is encoded: many servers do not decode. */
export function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice('='.length);
}
