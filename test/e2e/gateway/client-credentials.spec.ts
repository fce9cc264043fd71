import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ClientCredentialsTokenSource } from 'nestjs-mcp/client';
import { ADAPTERS } from '../../support/applications/boot.js';
import { CALLERS } from '../../support/applications/protected-desk.js';
import { TokenParty } from '../../support/authorization/token-party.js';
import { bootShop, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, textOf, type RunningGateway } from './gateway.app.js';

describe.each(ADAPTERS)('A gateway on %s that has credentials of its own at a server', (adapter) => {
  /** The tokens that the server received. */
  const received = new Set<string>();
  let party: TokenParty;
  let shop: RunningShop;
  let gateway: RunningGateway;

  const call = async (caller: keyof typeof CALLERS) => {
    const client = new Client({ name: 'front', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    const headers = { authorization: `Bearer ${CALLERS[caller].token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: { headers } }),
    );
    const text = textOf(await client.callTool({ name: 'shop_whoami' }));
    await client.close();
    return text;
  };

  beforeAll(async () => {
    party = await TokenParty.start();
    const validate = async (token: string) => {
      received.add(token);
      const scopes = await party.findScopes(token);
      return scopes && { sub: 'the gateway', scopes };
    };
    shop = await bootShop({ auth: { validator: { validate } } });
    const auth = new ClientCredentialsTokenSource({
      serverUrl: shop.url,
      issuer: party.issuer,
      tokenEndpoint: party.tokenEndpoint,
      clientId: 'gateway',
      clientSecret: 'secret-of-the-gateway',
      scopes: ['shop:read'],
    });
    gateway = await bootGateway({
      adapter,
      options: { auth: { bearer: Object.values(CALLERS) } },
      servers: { shop: { url: shop.url, auth } },
    });
    await gateway.ready('shop');
  });
  afterAll(async () => {
    await gateway.close();
    await shop.close();
    await party.stop();
  });

  it('uses one token for all callers, none of which is theirs (GATE-03)', async () => {
    expect(await Promise.all([call('ada'), call('bob')])).toEqual(['the gateway', 'the gateway']);
    expect(party.forms).toMatchObject([{ grant_type: 'client_credentials', scope: 'shop:read' }]);
    expect([...received]).toEqual(['token-1']);
  });

  it('requests another token when the server refuses the first (GATE-03)', async () => {
    party.revoke('token-1');
    expect(await call('ada')).toBe('the gateway');
    expect([...received]).toEqual(['token-1', 'token-2']);
  });
});
