import { describe, expect, it } from '@jest/globals';
import type { Claims } from '../../../../lib/core/oauth/access-token.js';
import type { McpContext } from '../../../../lib/server/context/mcp-context.interface.js';
import { nameCaller } from '../../../../lib/server/context/caller-identity.js';

interface Caller {
  readonly claims?: Partial<Claims>;
  readonly ip?: string;
  readonly session?: string;
}

const name = ({ claims, ip, session }: Caller): string =>
  nameCaller({
    auth: { claims },
    session: session === undefined ? undefined : { id: session },
    http: ip === undefined ? undefined : { headers: {}, request: { socket: { remoteAddress: ip } } },
  } as unknown as McpContext);

describe('nameCaller', () => {
  it('goes by the subject, then the client, the address, the session and the transport (NEST-04) (OPS-04)', () => {
    const [ip, session] = ['203.0.113.7', 'a'];
    expect(name({ claims: { iss: 'i', sub: 's', clientId: 'c' }, ip, session })).toBe('subject ["i","s"]');
    expect(name({ claims: { clientId: 'c' }, ip, session })).toBe('client [null,"c"]');
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
      name({ claims: { clientId: 'c' } }),
      name({ claims: { sub: 'c' } }),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});
