/** The claims that name the client of a token, first the standard's (RFC 9068 §2.2). */
const CLIENT_CLAIMS = ['client_id', 'azp', 'appid', 'cid'] as const;

/** Returns the name of the claim for the client of a token. Returns `undefined` if none does. */
export function findClientClaim(payload: { readonly [claim: string]: unknown }): string | undefined {
  return CLIENT_CLAIMS.find((claim) => isText(payload[claim]));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
