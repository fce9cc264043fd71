import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StaticTokenSource } from 'nestjs-mcp/client';
import { ADAPTERS } from '../../support/applications/boot.js';
import { RESOURCE } from '../../support/applications/protected-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { json } from '../../support/authorization/party.js';
import { TokenParty } from '../../support/authorization/token-party.js';
import { until } from '../../support/until.js';
import { bootShop, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, textOf, type RunningGateway } from './gateway.app.js';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** The tokens that the shop knows: of the gateway itself, and of two callers after the exchange. */
const TOKENS = {
  gateway: { token: 'token-of-the-gateway-1c9e', subject: 'gateway', scopes: [] },
  ada: { token: 'exchanged-token-of-ada-77b0', subject: 'ada-there', scopes: [] },
  bob: { token: 'exchanged-token-of-bob-88c1', subject: 'bob-there', scopes: [] },
};

describe.each(ADAPTERS)('A gateway on %s that calls a server for its callers', (adapter) => {
  const sent: string[] = [];
  let issuer: TestIssuer;
  let party: TokenParty;
  let shop: RunningShop;
  let gateway: RunningGateway;

  const record: typeof fetch = (input, init) => {
    sent.push(new Headers(init?.headers).get('authorization') ?? 'none');
    return fetch(input, init);
  };
  const call = async (name: string, token?: string) => {
    const client = new Client({ name: 'f', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(gateway.url), headers && { requestInit: { headers } }),
    );
    try {
      return textOf(await client.callTool({ name }));
    } finally {
      await client.close();
    }
  };

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    party = await TokenParty.start();
    party.reply = ({ body }) => {
      const [, claims = ''] = new URLSearchParams(body).get('subject_token')?.split('.') ?? [];
      const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string };
      const access_token = sub === 'bob' ? TOKENS.bob.token : TOKENS.ada.token;
      return json(party.grant({ issued_token_type: ACCESS_TOKEN, access_token }));
    };
    shop = await bootShop({ auth: { bearer: Object.values(TOKENS) } });
    const auth = new StaticTokenSource(TOKENS.gateway.token);
    gateway = await bootGateway({
      adapter,
      options: {
        auth: {
          resourceUri: RESOURCE,
          authorizationServers: [issuer.url],
          jwt: {},
          exchange: { tokenEndpoint: party.tokenEndpoint, clientId: 'gateway', clientSecret: 'secret-1234' },
        },
      },
      servers: {
        own: { url: shop.url, auth, fetch: record },
        shop: {
          url: shop.url,
          auth,
          fetch: record,
          negotiation: 'legacy',
          identity: 'caller',
          isPublic: true,
          callers: { maximum: 1, idleTimeoutMs: 200 },
        },
      },
    });
    await gateway.ready('own', 'shop');
  });
  afterAll(async () => {
    await gateway.close();
    await shop.close();
    await Promise.all([issuer.stop(), party.stop()]);
  });

  it('uses its own token where identity does not matter (GATE-03)', async () => {
    expect(await call('own_whoami', await issuer.token())).toBe('gateway');
  });

  it("exchanges each caller's token, and keeps connections apart (GATE-03)", async () => {
    const [ada, bob] = await Promise.all([issuer.token({ sub: 'ada' }), issuer.token({ sub: 'bob' })]);
    const subjects = await Promise.all([
      call('shop_whoami', ada),
      call('shop_whoami', bob),
      call('shop_whoami', ada),
    ]);
    expect(subjects).toEqual(['ada-there', 'bob-there', 'ada-there']);
    for (const token of [ada, bob]) expect(sent.join()).not.toContain(token);
    expect(new Set(sent)).toEqual(new Set(Object.values(TOKENS).map(({ token }) => `Bearer ${token}`)));
  });

  it('calls for nobody without a token, not even with its own (GATE-03)', async () => {
    sent.length = 0;
    expect(await call('shop_whoami')).toContain('requires a login');
    // Connections of callers may end meanwhile.
    expect(sent).not.toContain(`Bearer ${TOKENS.gateway.token}`);
    expect(await call('own_whoami', await issuer.token())).toBe('gateway');
    expect(sent).toContain(`Bearer ${TOKENS.gateway.token}`);
  });

  it('closes the connections of callers that are idle (GATE-03)', async () => {
    let events = 0;
    const counting = shop.shop.notifier.sessions$.subscribe(() => (events += 1));
    await call('shop_whoami', await issuer.token({ sub: 'ada', jti: 'fresh', scope: 'other' }));
    expect(events).toBeGreaterThan(0);
    await until(() => shop.shop.notifier.sessions.length <= 1, 'the end of the sessions of callers');
    counting.unsubscribe();
  });
});
