import { Injectable } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpModule, Public, RequireScope, Tool, type McpContext } from 'nestjs-mcp';
import { FakeIssuer, McpTestingModule, type TestClientOptions } from 'nestjs-mcp/testing';
import { bootApp, type RunningApp } from '../../support/applications/boot.js';
import '../../support/mcp-matchers.js';
import { REVISIONS, startTestingModule } from '../../support/applications/testing-desk.js';

const RESOURCE = 'https://desk.example.com/mcp';

const HEADERS = {
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'write',
};
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'write', _meta },
});

@Injectable()
class Tools {
  @Tool()
  greet(_: object, { auth }: McpContext) {
    return `hello, ${auth.claims?.sub ?? 'stranger'}`;
  }

  @RequireScope('desk:read', 'desk:write')
  @Tool()
  write() {
    return 'written';
  }
}

let issuer: FakeIssuer;

beforeAll(async () => {
  issuer = await FakeIssuer.start();
});

afterAll(() => issuer.stop());

const describeDesk = () => ({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      auth: issuer.authOptions(RESOURCE),
    }),
  ],
  providers: [Tools],
});

describe.each(REVISIONS)('A caller of the test kit in %s', (revision) => {
  let moduleRef: TestingModule;

  beforeAll(async () => {
    moduleRef = await startTestingModule(describeDesk());
  });

  afterAll(() => moduleRef.close());

  async function call(name: string, auth: TestClientOptions['auth']) {
    const client = await McpTestingModule.createClient(moduleRef, { revision, ...(auth && { auth }) });
    const result = await client.callTool({ name });
    await client.close();
    return result;
  }

  it('is known by a token that the validators take (KIT-01)', async () => {
    const token = await issuer.token({ sub: 'bob', scope: 'desk:write desk:read' });
    expect(await call('greet', { token })).toHaveText('hello, bob');
    expect(await call('write', { token })).toHaveText('written');
  });

  it('is known by claims that are taken as they are (KIT-01)', async () => {
    expect(await call('greet', { claims: { sub: 'eve' } })).toHaveText('hello, eve');
    const scopes = ['desk:read', 'desk:write'];
    expect(await call('write', { claims: { sub: 'eve', scopes } })).toHaveText('written');
  });

  it('learns which scope is missing as a result that is an error (KIT-01)', async () => {
    const token = await issuer.token({ scope: 'desk:read' });
    const refused = await call('write', { token });
    expect(refused).toBeToolError(/desk:write/);
    expect(await call('write', { claims: { sub: 'eve' } })).toBeToolError();
  });

  it.each([
    ['that ended', { exp: 1 }, {}],
    ['for another resource', { aud: 'https://other.example.com' }, {}],
    ['of another issuer', { iss: 'https://other.example.com' }, {}],
    ['that nobody signed', {}, { alg: 'none' }],
    ['that is no access token', {}, { typ: 'dpop+jwt' }],
    ['by an unknown key', {}, { kid: 'other' }],
  ])('is refused with a token %s (KIT-01)', async (_, claims, header) => {
    const token = await issuer.token(claims, { header });
    const connecting = McpTestingModule.createClient(moduleRef, { revision, auth: { token } });
    await expect(connecting).rejects.toMatchObject({ name: 'AuthError', code: 401 });
  });
});

describe('A caller of the test kit', () => {
  const serverInfo = { name: 'desk', version: '1.0.0' };

  it('is refused without a token, as over HTTP (KIT-01)', async () => {
    const moduleRef = await startTestingModule(describeDesk());
    const connecting = McpTestingModule.createClient(moduleRef);
    await expect(connecting).rejects.toMatchObject({ name: 'AuthError', code: 401 });
    await moduleRef.close();
  });

  it('is refused without a scope that every token must have (KIT-01)', async () => {
    const auth = { ...issuer.authOptions(RESOURCE), requiredScopes: ['desk:use'] };
    const moduleRef = await startTestingModule({ imports: [McpModule.forRoot({ serverInfo, auth })] });
    const connect = async (scope: string) =>
      McpTestingModule.createClient(moduleRef, { auth: { token: await issuer.token({ scope }) } });
    await expect(connect('desk:read')).rejects.toMatchObject({ name: 'AuthError', code: 403 });
    await (await connect('desk:use')).close();
    await moduleRef.close();
  });

  it('needs no token for a public handler (KIT-01)', async () => {
    @Injectable()
    class OpenTools {
      @Public()
      @Tool()
      hours() {
        return '9 to 5';
      }
    }
    const { imports } = describeDesk();
    const moduleRef = await startTestingModule({ imports, providers: [OpenTools, Tools] });
    const client = await McpTestingModule.createClient(moduleRef);
    expect(await client.callTool({ name: 'hours' })).toHaveText('9 to 5');
    expect(await client.callTool({ name: 'greet' })).toBeToolError();
    await client.close();
    await moduleRef.close();
  });
});

describe('A challenge of a server under test', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootApp(describeDesk());
  });

  afterAll(() => desk.close());

  it('is matched with its status and parameters (KIT-01)', async () => {
    const { url } = desk;
    const call = async (headers: { readonly authorization?: string }) =>
      fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body: BODY });
    expect(await call({})).toChallenge({
      status: 401,
      resource_metadata: /oauth-protected-resource\/mcp$/,
    });
    const known = await call({ authorization: `Bearer ${await issuer.token({ scope: 'desk:read' })}` });
    expect(known).toChallenge({
      status: 403,
      error: 'insufficient_scope',
      scope: 'desk:write desk:read',
    });
  });
});
