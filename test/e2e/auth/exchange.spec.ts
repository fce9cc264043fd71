import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpAuthenticator } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { json } from '../../support/authorization/party.js';
import { authorize } from '../../support/applications/protected-desk.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { ACCESS_TOKEN, CLIENT, ExchangeScene, InvoiceTools, INVOICES } from './invoices.app.js';

let scene: ExchangeScene;

beforeEach(async () => {
  scene = await ExchangeScene.start();
});
afterEach(() => scene.stop());

describe.each(ADAPTERS)('A tool that calls another service on %s (RFC 8693)', (adapter) => {
  it("gets a token for its caller's (OBO-01)", async () => {
    await scene.boot(adapter);
    const token = await scene.issuer.token();
    await expect(
      scene.call(token, 'exchange', { ...INVOICES, resource: 'https://invoices.example.com' }),
    ).resolves.toBe('token-1');
    expect(scene.server.forms).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: ACCESS_TOKEN,
        requested_token_type: ACCESS_TOKEN,
        audience: 'invoices',
        resource: 'https://invoices.example.com',
        scope: 'invoices:read',
      },
    ]);
    const credentials = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64');
    expect(scene.server.asked[0]?.headers.authorization).toBe(`Basic ${credentials}`);
  });

  it('gets a token for several services, each by a parameter of its own (OBO-01)', async () => {
    await scene.boot(adapter);
    const token = await scene.issuer.token();
    const wanted = {
      audience: ['invoices', 'stock'],
      resource: ['https://a.example.com', 'https://b.example.com'],
    };
    await expect(scene.call(token, 'exchange', wanted)).resolves.toBe('token-1');
    const body = new URLSearchParams(scene.server.party.requests.at(-1)?.body);
    expect(body.getAll('audience')).toEqual(wanted.audience);
    expect(body.getAll('resource')).toEqual(wanted.resource);
    // The order makes no difference, and the number does.
    const turned = { ...wanted, audience: ['stock', 'invoices'] };
    await expect(scene.call(token, 'exchange', turned)).resolves.toBe('token-1');
    await expect(scene.call(token, 'exchange', { ...wanted, audience: 'stock' })).resolves.toBe('token-2');
  });

  it.each([
    [{ scopes: 'a b' }, 'The property "scopes" is "a b": it must be an array of scopes'],
    [
      { audience: ['a', 7] },
      'The property "audience" is ["a",7]: it must be a string, or an array of strings',
    ],
    [{ resource: { url: 'x' } }, 'The property "resource" is {"url":"x"}: it must be a string'],
  ])('is told in words what cannot be asked for: %j (OBO-01)', async (wanted, text) => {
    await scene.boot(adapter);
    await scene.call(await scene.issuer.token(), 'exchange', wanted);
    expect(scene.log.text).toContain(text);
    expect(scene.server.asked).toEqual([]);
  });

  it('gets one token for all that ask at the same time, and afterwards (OBO-01)', async () => {
    await scene.boot(adapter);
    const token = await scene.issuer.token();
    const texts = await Promise.all([scene.call(token, 'exchangeOften'), scene.call(token, 'exchangeOften')]);
    await expect(scene.call(token, 'exchange', INVOICES)).resolves.toBe('token-1');
    expect(texts).toEqual(['token-1', 'token-1']);
    expect(scene.server.asked).toHaveLength(1);
  });

  it('gets another token in place of one that the service refused (OBO-01)', async () => {
    await scene.boot(adapter);
    const token = await scene.issuer.token();
    await scene.call(token, 'exchange', INVOICES);
    const refused = { ...INVOICES, refusedToken: 'token-1' };
    await expect(scene.call(token, 'exchange', refused)).resolves.toBe('token-2');
    await expect(scene.call(token, 'exchange', refused)).resolves.toBe('token-2');
    await expect(scene.call(token, 'exchange', INVOICES)).resolves.toBe('token-2');
    expect(scene.server.party.requests.map(({ body }) => body).join()).not.toContain('token-1');
  });

  it('gets another token for another caller, service or scope (OBO-01)', async () => {
    await scene.boot(adapter);
    const [ada, bob] = await Promise.all([scene.issuer.token(), scene.issuer.token({ sub: 'bob' })]);
    const wishes = [{}, { audience: 'mail' }, { resource: 'mail' }, { scopes: ['a', 'b'] }];
    const texts = [];
    for (const wish of wishes) texts.push(await scene.call(ada, 'exchange', wish));
    texts.push(await scene.call(ada, 'exchange', { scopes: ['b', 'a'] }), await scene.call(bob, 'exchange'));
    expect(texts).toEqual(['token-1', 'token-2', 'token-3', 'token-4', 'token-4', 'token-5']);
  });

  it('keeps nothing whose end is near, or past the token of the caller (OBO-01)', async () => {
    await scene.boot(adapter);
    scene.server.reply = () => json(scene.give({ expires_in: 0 }));
    const token = await scene.issuer.token();
    await scene.call(token, 'exchange');
    await scene.call(token, 'exchange');
    scene.server.reply = () => json(scene.give({ expires_in: 3600 }));
    // The clocks of issuer and server may differ: it is still taken.
    const ending = await scene.issuer.token({ exp: Math.floor(Date.now() / 1000) - 2 });
    await scene.call(ending, 'exchange');
    await scene.call(ending, 'exchange');
    expect(scene.server.asked).toHaveLength(4);
  });

  it('finds the token nowhere in what is known of the caller (OBO-01)', async () => {
    await scene.boot(adapter);
    const token = await scene.issuer.token();
    await expect(scene.call(token, 'show')).resolves.toBe('shown');
    expect(InvoiceTools.seen).toContain('claims');
    expect(InvoiceTools.seen).not.toContain(token);
    expect(scene.log.text).not.toContain(token);
  });

  it('is as well a route of the application (OBO-01)', async () => {
    await scene.boot(adapter);
    const url = scene.desk.url.replace('/mcp', '/report');
    const headers = authorize(await scene.issuer.token());
    await expect(sendHttp(url, { method: 'GET', headers })).resolves.toMatchObject({
      status: 200,
      text: 'token-1',
    });
    const refusal = await sendHttp(`${url}/open`, { method: 'GET' });
    expect(refusal.status).toBe(401);
    expect(refusal.headers['www-authenticate']).toMatch(/^Bearer resource_metadata=/);
  });

  it('gets no token again that was got before the authenticator forgot all (OBO-01)', async () => {
    await scene.boot(adapter);
    const token = await scene.issuer.token();
    await scene.call(token, 'exchange');
    scene.desk.app.get(McpAuthenticator, { strict: false }).clearCache();
    await expect(scene.call(token, 'exchange')).resolves.toBe('token-2');
  });

  it('is refused where the caller brought no token (OBO-01)', async () => {
    await scene.boot(adapter);
    await expect(scene.call(undefined, 'exchangeForAnybody')).resolves.toBe('Unauthorized');
    expect(scene.server.asked).toEqual([]);
  });

  it('fails without a word to the caller where nothing is configured (OBO-01)', async () => {
    await scene.boot(adapter, 'none');
    await expect(scene.call(await scene.issuer.token(), 'exchange')).resolves.toMatch(
      /^Internal error \(incident \w+\)$/,
    );
    expect(scene.log.text).toMatch(/The MCP option "auth.exchange" is missing/);
  });
});
