/** The claims that name the client of a token, first the standard's (RFC 9068 §2.2). */
const CLIENT_CLAIMS = ['client_id', 'azp', 'appid', 'cid'] as const;

/** Names the claim that says which client a token was issued to. Returns `undefined` if none does. */
export function findClientClaim(payload: { readonly [claim: string]: unknown }): string | undefined {
  return CLIENT_CLAIMS.find((claim) => isText(payload[claim]));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
