import { describe, expect, it } from '@jest/globals';
import type { Claims } from '../../../../lib/core/oauth/access-token.js';
import type { AuthMethod } from '../../../../lib/server/context/authentication.js';
import type { McpContext } from '../../../../lib/server/context/mcp-context.interface.js';
import { nameCaller } from '../../../../lib/server/context/caller-identity.js';

interface Caller {
  readonly claims?: Partial<Claims>;
  readonly method?: AuthMethod;
  readonly ip?: string;
  readonly session?: string;
}

const name = ({ claims, method, ip, session }: Caller): string =>
  nameCaller({
    auth: { claims, authentication: { method } },
    session: session === undefined ? undefined : { id: session },
    http: ip === undefined ? undefined : { headers: {}, request: { socket: { remoteAddress: ip } } },
  } as unknown as McpContext);

describe('nameCaller', () => {
  it('goes by the subject, then the client, the address, the session and the transport (NEST-04) (OPS-04)', () => {
    const [ip, session] = ['203.0.113.7', 'a'];
    expect(name({ claims: { iss: 'i', sub: 's', clientId: 'c' }, ip, session })).toBe(
      'subject [{"issuer":"i"},"s"]',
    );
    expect(name({ claims: { clientId: 'c' }, method: 'jwt', ip, session })).toBe(
      'client [{"method":"jwt"},"c"]',
    );
    expect(name({ ip, session })).toBe('address ["203.0.113.7"]');
    expect(name({ ip: '127.0.0.1', session })).toBe('session ["a"]');
    expect(name({ ip: '127.0.0.1' })).toBe('anonymous');
    expect(name({})).toBe('pipe');
  });

  it('takes no two callers for one, however they are called (NEST-04) (OPS-04)', () => {
    const names = [
      name({ claims: { iss: 'a","b', sub: 'c' } }),
      name({ claims: { iss: 'a', sub: 'b","c' } }),
      name({ claims: { sub: 'pipe' } }),
      name({ claims: { sub: 'pipe' }, method: 'bearer' }),
      name({ claims: { sub: 'pipe' }, method: 'custom' }),
      name({ claims: { clientId: 'c' }, method: 'custom' }),
      name({ claims: { clientId: 'c' } }),
      name({ claims: { sub: 'c' } }),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});
