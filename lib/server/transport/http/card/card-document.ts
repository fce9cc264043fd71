import { createHash } from 'node:crypto';

/** A document that everybody may have, and keep. */
export class CardDocument {
  readonly text: string;
  /** Changes with the text (RFC 9110 §8.8.3). */
  readonly entityTag: string;

  constructor(
    readonly mediaType: string,
    content: object,
  ) {
    this.text = JSON.stringify(content);
    this.entityTag = `"${createHash('sha256').update(this.text).digest('base64url').slice(0, 27)}"`;
  }

  /**
   * Tells whether the client has the document already.
   *
   * @param header `If-None-Match`, as it came
   * @see RFC 9110 §13.1.2
   */
  isKnown(header: string | undefined): boolean {
    if (header === undefined) return false;
    if (header.trim() === '*') return true;
    // Proxies that compress weaken the tag, and it is compared weakly here.
    return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === this.entityTag);
  }
}
