import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, Req, UseGuards } from '@nestjs/common';
import {
  McpAuthenticator,
  McpAuthGuard,
  Public,
  Tool,
  type AuthenticatedRequest,
  type AuthOptions,
  type McpContext,
  type WantedToken,
} from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/boot.js';
import { TestIssuer } from '../../support/issuer.js';
import { json, status } from '../../support/party.js';
import { authorize, bootDesk, RESOURCE, textOf } from '../../support/protected-desk.js';
import { sendHttp } from '../../support/raw-http.js';
import { perRequest } from '../../support/json-rpc.js';
import { RecordedLog } from '../../support/recorded-log.js';
import { TokenParty } from '../../support/token-party.js';

const CLIENT = { clientId: 'desk', clientSecret: 'the-secret-of-the-desk' };
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const REFUSAL = 'The call cannot be made on your behalf at the moment';
const INVOICES = { audience: 'invoices', scopes: ['invoices:read'] };

@Injectable()
class InvoiceTools {
  /** What tools hold in their hands. */
  static seen = '';

  @Tool({ inputSchema: { type: 'object' } })
  async exchange(wanted: WantedToken, { auth }: McpContext): Promise<string> {
    return auth.exchange(wanted);
  }

  @Tool()
  async exchangeOften(_input: unknown, { auth }: McpContext): Promise<string> {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => auth.exchange(INVOICES)));
    return [...new Set(tokens)].join();
  }

  @Tool()
  @Public()
  async exchangeForAnybody(_input: unknown, { auth }: McpContext): Promise<string> {
    return auth.exchange();
  }

  @Tool()
  async show(_input: unknown, { auth }: McpContext): Promise<string> {
    await auth.exchange(INVOICES);
    InvoiceTools.seen = [
      inspect(auth, { depth: 9, showHidden: true, getters: true }),
      JSON.stringify(auth),
      JSON.stringify(auth.authentication),
    ].join();
    return 'shown';
  }
}

@Controller('report')
@UseGuards(McpAuthGuard)
class ReportController {
  @Get()
  exchange(@Req() { auth }: AuthenticatedRequest): Promise<string> | undefined {
    return auth?.exchange(INVOICES);
  }

  @Get('open')
  @Public()
  exchangeForAnybody(@Req() { auth }: AuthenticatedRequest): Promise<string> | undefined {
    return auth?.exchange(INVOICES);
  }
}

let issuer: TestIssuer;
let server: TokenParty;
let desk: RunningApp;
const log = new RecordedLog();

beforeAll(async () => {
  issuer = await TestIssuer.start();
});
afterAll(() => issuer.stop());

beforeEach(async () => {
  server = await TokenParty.start();
  server.reply = () => json(give());
});
afterEach(async () => {
  await Promise.all([server.stop(), desk.close()]);
  log.clear();
});

const give = (members: { readonly [name: string]: unknown } = {}) =>
  server.grant({ issued_token_type: ACCESS_TOKEN, ...members });

async function boot(
  adapter: AdapterName,
  exchange: AuthOptions['exchange'] | 'none' = { tokenEndpoint: server.tokenEndpoint, ...CLIENT },
): Promise<void> {
  desk = await bootDesk(adapter, {
    auth: {
      resourceUri: RESOURCE,
      authorizationServers: [issuer.url],
      jwt: {},
      ...(exchange !== 'none' && { exchange }),
    },
    providers: [InvoiceTools],
    controllers: [ReportController],
    nest: { logger: log },
  });
}

async function call(token: string | undefined, name: string, wanted: object = {}): Promise<string> {
  const client = perRequest(desk.url, { headers: authorize(token) });
  const { result } = await client.start('tools/call', { name, arguments: wanted }).answer();
  return textOf(result ?? {});
}

describe.each(ADAPTERS)('A tool that calls another service on %s (RFC 8693)', (adapter) => {
  it("gets a token for its caller's (OBO-01)", async () => {
    await boot(adapter);
    const token = await issuer.token();
    await expect(
      call(token, 'exchange', { ...INVOICES, resource: 'https://invoices.example.com' }),
    ).resolves.toBe('token-1');
    expect(server.forms).toEqual([
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
    expect(server.asked[0]?.headers.authorization).toBe(`Basic ${credentials}`);
  });

  it('gets one token for all that ask at the same time, and afterwards (OBO-01)', async () => {
    await boot(adapter);
    const token = await issuer.token();
    const texts = await Promise.all([call(token, 'exchangeOften'), call(token, 'exchangeOften')]);
    await expect(call(token, 'exchange', INVOICES)).resolves.toBe('token-1');
    expect(texts).toEqual(['token-1', 'token-1']);
    expect(server.asked).toHaveLength(1);
  });

  it('gets another token for another caller, service or scope (OBO-01)', async () => {
    await boot(adapter);
    const [ada, bob] = await Promise.all([issuer.token(), issuer.token({ sub: 'bob' })]);
    const wishes = [{}, { audience: 'mail' }, { resource: 'mail' }, { scopes: ['a', 'b'] }];
    const texts = [];
    for (const wish of wishes) texts.push(await call(ada, 'exchange', wish));
    texts.push(await call(ada, 'exchange', { scopes: ['b', 'a'] }), await call(bob, 'exchange'));
    expect(texts).toEqual(['token-1', 'token-2', 'token-3', 'token-4', 'token-4', 'token-5']);
  });

  it('keeps nothing whose end is near, or past the token of the caller (OBO-01)', async () => {
    await boot(adapter);
    server.reply = () => json(give({ expires_in: 0 }));
    const token = await issuer.token();
    await call(token, 'exchange');
    await call(token, 'exchange');
    server.reply = () => json(give({ expires_in: 3600 }));
    // The clocks of issuer and server may differ: it is still taken.
    const ending = await issuer.token({ exp: Math.floor(Date.now() / 1000) - 2 });
    await call(ending, 'exchange');
    await call(ending, 'exchange');
    expect(server.asked).toHaveLength(4);
  });

  it('finds the token nowhere in what is known of the caller (OBO-01)', async () => {
    await boot(adapter);
    const token = await issuer.token();
    await expect(call(token, 'show')).resolves.toBe('shown');
    expect(InvoiceTools.seen).toContain('claims');
    expect(InvoiceTools.seen).not.toContain(token);
    expect(log.text).not.toContain(token);
  });

  it('is as well a route of the application (OBO-01)', async () => {
    await boot(adapter);
    const url = desk.url.replace('/mcp', '/report');
    const headers = authorize(await issuer.token());
    await expect(sendHttp(url, { method: 'GET', headers })).resolves.toMatchObject({
      status: 200,
      text: 'token-1',
    });
    const refusal = await sendHttp(`${url}/open`, { method: 'GET' });
    expect(refusal.status).toBe(401);
    expect(refusal.headers['www-authenticate']).toMatch(/^Bearer resource_metadata=/);
  });

  it('gets no token again that was got before the authenticator forgot all (OBO-01)', async () => {
    await boot(adapter);
    const token = await issuer.token();
    await call(token, 'exchange');
    desk.app.get(McpAuthenticator, { strict: false }).clearCache();
    await expect(call(token, 'exchange')).resolves.toBe('token-2');
  });

  it('is refused where the caller brought no token (OBO-01)', async () => {
    await boot(adapter);
    await expect(call(undefined, 'exchangeForAnybody')).resolves.toBe('Unauthorized');
    expect(server.asked).toEqual([]);
  });

  it('fails without a word to the caller where nothing is configured (OBO-01)', async () => {
    await boot(adapter, 'none');
    await expect(call(await issuer.token(), 'exchange')).resolves.toMatch(
      /^Internal error \(incident \w+\)$/,
    );
    expect(log.text).toMatch(/The MCP option "auth.exchange" is missing/);
  });
});

describe('An exchange that fails', () => {
  it.each([
    ['invalid_client', 401, /check "auth\.exchange\.clientId", and its secret or key/],
    ['unauthorized_client', 400, /allow the client of "auth\.exchange" the grant of RFC 8693 there/],
    ['invalid_target', 400, /make the audience or the resource known there/],
    ['invalid_grant', 400, /the caller's token is over or revoked/],
    ['made_up', 400, /answered with status 400 and "made_up"/],
  ])('by "%s" tells the log what to do, and the caller nothing (OBO-01)', async (error, code, remedy) => {
    await boot('express');
    const token = await issuer.token();
    server.reply = () => json({ error, error_description: `no ${token}` }, code);
    await expect(call(token, 'exchange')).resolves.toBe(REFUSAL);
    await expect(call(token, 'exchange')).resolves.toBe(REFUSAL);
    const lines = log.find('warn', 'A token could not be exchanged: ');
    expect(lines).toEqual([expect.stringMatching(remedy)]);
    expect(log.text).not.toContain(token);
    expect(log.text).not.toContain(CLIENT.clientSecret);
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    ['a redirect', () => status(307, { location: 'https://elsewhere.example.com/' })],
    ['no JSON', () => json('here you are')],
    ['a token that is no bearer token', () => json(give({ token_type: 'DPoP' }))],
    [
      'what is no access token',
      () => json(give({ issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag' })),
    ],
    ['endless JSON', () => json({ filling: 'x'.repeat(600_000) })],
  ])('by %s is a refusal (OBO-01)', async (_what, reply) => {
    await boot('express');
    const token = await issuer.token();
    server.reply = reply;
    await expect(call(token, 'exchange')).resolves.toBe(REFUSAL);
    expect(log.find('warn', 'A token could not be exchanged: ')).toHaveLength(1);
    expect(log.text).not.toMatch(/token-1/);
  });

  it('by an authorization server that does not answer ends in time (OBO-01)', async () => {
    await boot('express', { tokenEndpoint: server.tokenEndpoint, ...CLIENT, timeoutMs: 50 });
    server.reply = () => () => undefined;
    await expect(call(await issuer.token(), 'exchange')).resolves.toBe(REFUSAL);
    expect(log.text).toMatch(/could not be exchanged: "http:.*\/tokens" did not answer within 50 ms/);
  });

  it('is not kept (OBO-01)', async () => {
    await boot('express');
    const token = await issuer.token();
    server.reply = () => json({ error: 'invalid_grant' }, 400);
    await call(token, 'exchange');
    server.reply = () => json(give());
    await expect(call(token, 'exchange')).resolves.toBe('token-1');
  });

  it('asks for no scope that would be two (OBO-01)', async () => {
    await boot('express');
    const text = await call(await issuer.token(), 'exchange', { scopes: ['invoices:read admin'] });
    expect(text).toMatch(/^Internal error/);
    expect(server.asked).toEqual([]);
  });
});

describe('The endpoint of an exchange', () => {
  it('is found by the metadata of the first authorization server, once it is there (OBO-01)', async () => {
    await boot('express', CLIENT);
    const token = await issuer.token();
    await expect(call(token, 'exchange')).resolves.toBe(REFUSAL);
    expect(log.text).toMatch(
      /does not name a "token_endpoint": say where tokens are exchanged by "auth\.exchange/,
    );
    issuer.metadata['token_endpoint'] = server.tokenEndpoint;
    issuer.metadata['token_endpoint_auth_methods_supported'] = ['client_secret_post'];
    await expect(call(token, 'exchange')).resolves.toBe('token-1');
    expect(server.forms[0]).toMatchObject({ client_id: 'desk', client_secret: CLIENT.clientSecret });
    delete issuer.metadata['token_endpoint'];
  });
});
