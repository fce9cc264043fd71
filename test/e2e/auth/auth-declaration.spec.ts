import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Public, Tool, type AuthOptions } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

const ID = 'io.nestjs-mcp/auth';
const DECLARATION = { [ID]: { specVersion: '2026-07-28', stability: 'experimental' } };

@Injectable()
class Hours {
  @Public()
  @Tool()
  hours(): string {
    return '9 to 17';
  }
}

function start(adapter: AdapterName, auth?: AuthOptions): Promise<RunningApp> {
  return bootServer({ adapter, options: { ...(auth && { auth }) }, providers: [Hours] });
}

const extensionsOf = (result: JsonObject = {}) => (result['capabilities'] as JsonObject)['extensions'];

describe.each(ADAPTERS)('The extension of a server that asks for tokens, on %s', (adapter) => {
  let asking: RunningApp;
  let open: RunningApp;

  beforeAll(async () => {
    asking = await start(adapter, { bearer: Object.values(CALLERS) });
    open = await start(adapter);
  });

  afterAll(async () => {
    for (const server of [asking, open]) await server.close();
  });

  it.each(HANDSHAKE_VERSIONS)('is declared at the handshake of %s (EXT-02)', async (version) => {
    const { result } = await initialize(asking.url, { version, headers: authorize(CALLERS.ada.token) });
    expect(extensionsOf(result)).toEqual(DECLARATION);
  });

  it('is declared by "server/discover" (EXT-02)', async () => {
    const headers = authorize(CALLERS.ada.token);
    const { result } = await perRequest(asking.url, { headers }).request('server/discover');
    expect(extensionsOf(result)).toEqual(DECLARATION);
  });

  it('is declared to who has no token yet, where something is public (EXT-02) (STEP-06)', async () => {
    const { result } = await perRequest(asking.url).request('server/discover');
    expect(extensionsOf((await initialize(asking.url)).result)).toEqual(DECLARATION);
    expect(extensionsOf(result)).toEqual(DECLARATION);
  });

  it('is not declared by a server that asks for none (EXT-02)', async () => {
    const { result } = await perRequest(open.url).request('server/discover');
    expect(extensionsOf((await initialize(open.url)).result)).toBeUndefined();
    expect(extensionsOf(result)).toBeUndefined();
  });
});
