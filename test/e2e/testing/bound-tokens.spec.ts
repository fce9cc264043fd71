import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { McpModule, type DpopOptions } from 'nestjs-mcp';
import { FakeIssuer, McpTestingModule } from 'nestjs-mcp/testing';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { RESOURCE } from '../../support/applications/protected-desk.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';

describe.each(ADAPTERS)('A bound token of the test kit on %s', (adapter) => {
  let issuer: FakeIssuer;
  let desk: RunningApp;

  const buildAuth = (dpop: DpopOptions['mode'] | DpopOptions) => ({ ...issuer.authOptions(RESOURCE), dpop });

  beforeAll(async () => {
    issuer = await FakeIssuer.start();
    desk = await bootServer({ adapter, options: { auth: buildAuth({ mode: 'required', nonce: true }) } });
  });
  afterAll(async () => {
    await desk.close();
    await issuer.stop();
  });

  const discover = (headers: { readonly [name: string]: string }) =>
    perRequest(desk.url, { headers }).request('server/discover');

  it('opens a server that takes no others, with a proof for each request (KIT-02) (XTN-03)', async () => {
    const ada = await issuer.boundToken({ sub: 'ada' });
    const nonce = String((await discover({})).headers['dpop-nonce']);
    const headers = await ada.headers({ url: `${RESOURCE}?a=b`, nonce });
    expect([(await discover(headers)).status, (await discover(headers)).status]).toEqual([200, 401]);
    const other = await ada.headers({ url: RESOURCE, method: 'GET', nonce });
    expect((await discover(other)).status).toBe(401);
    expect((await discover(await ada.headers({ url: RESOURCE }))).status).toBe(401);
  });

  it('is bound to the key of another one, if that is wanted (KIT-02) (XTN-03)', async () => {
    const { key, token } = await issuer.boundToken();
    const renewed = await issuer.boundToken({ jti: 'renewed' }, key);
    expect(renewed.token).not.toBe(token);
    expect(renewed.key.thumbprint).toBe(key.thumbprint);
    const nonce = String((await discover({})).headers['dpop-nonce']);
    expect((await discover(await renewed.headers({ url: RESOURCE, nonce }))).status).toBe(200);
  });

  it('is nothing in memory, where there is no request to prove (KIT-01) (XTN-03)', async () => {
    const auth = buildAuth('allowed');
    const moduleRef = await Test.createTestingModule({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, auth })],
    }).compile();
    await moduleRef.init();
    const { token } = await issuer.boundToken();
    const connecting = McpTestingModule.createClient(moduleRef, { auth: { token } });
    await expect(connecting).rejects.toMatchObject({ name: 'AuthError', code: 401 });
    await moduleRef.close();
  });
});
