import { createHash } from 'node:crypto';

/** As much of a digest as no two issuers share by chance, nor by trying. */
const PATH_BYTES = 16;

/**
 * Gives the place to come back to from one issuer: below that of all, and no other issuer's. An answer that another one gave does
 * not arrive there.
 *
 * @see RFC 9700 §4.4.2.2
 */
export function buildIssuerRedirect(redirectUri: string, issuer: string): string {
  const place = new URL(redirectUri);
  const digest = createHash('sha256').update(issuer).digest().subarray(0, PATH_BYTES);
  place.pathname = `${place.pathname.replace(/\/$/, '')}/${digest.toString('base64url')}`;
  return place.href;
}
