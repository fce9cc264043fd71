/**
 * Encodes bytes in base64. Browsers do not have `Buffer`.
 *
 * @see RFC 4648 §4
 */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
}

/**
 * Decodes base64, with or without padding.
 *
 * @throws {DOMException} if a character is not base64
 */
export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
}
