import type { AuthOptions, JwtOptions } from 'nestjs-mcp';

import { TestIssuer } from '../support/authorization/issuer.js';

export const RESOURCE = 'https://desk.example.com/mcp';

const LIFETIME_SECONDS = 86_400;

/** What protects a server that is measured. */
export interface Protection {
  issuer: TestIssuer;
  auth: AuthOptions;
  /** An access token with the usual claims, signed with ES256, that outlives every run. */
  token: string;
}

/**
 * Starts an issuer on loopback, in this process. That must not be the process of a server that is measured: what Node does
 * for a request gets slower in one that serves requests of two kinds, as no resource server does.
 */
export async function startProtection(jwt: JwtOptions = {}): Promise<Protection> {
  const issuer = await TestIssuer.start({ audience: RESOURCE });
  const exp = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;
  return {
    issuer,
    auth: {
      resourceUri: RESOURCE,
      authorizationServers: [issuer.url],
      jwt: { jwksUrl: issuer.jwksUrl, ...jwt },
    },
    token: await issuer.token({ scope: 'desk:read desk:write', exp }),
  };
}
