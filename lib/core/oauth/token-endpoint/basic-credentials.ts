/**
 * Writes the value of the header `Authorization` for a client and its secret, both encoded as in a form before they are put
 * together.
 *
 * @see RFC 6749 §2.3.1, RFC 7617
 */
export function formatBasicCredentials(clientId: string, clientSecret: string): string {
  const credentials = [clientId, clientSecret].map(encodeForm).join(':');
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** Encodes a text as in a form. Nothing is encoded that need not be: many a server does not decode. */
export function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice('='.length);
}
