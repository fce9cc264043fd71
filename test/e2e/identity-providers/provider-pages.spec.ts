import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assertPkceSupported,
  discoverMcpAuth,
  PkceUnsupportedError,
  type AuthorizationServerMetadata,
} from 'nestjs-mcp/client';
import { ADAPTERS } from '../../support/applications/boot.js';
import { authorize, RESOURCE, textOf } from '../../support/applications/protected-desk.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { ProviderScene } from './provider-scene.js';
import type { TokenShape } from './provider-shape.interface.js';
import { SHAPES } from './shapes/shapes.js';

const WAYS = ADAPTERS.flatMap((adapter) => SHAPES.map((shape) => ({ adapter, shape, page: shape.page })));

describe.each(WAYS)('The page of $page on $adapter', ({ shape, adapter }) => {
  let scene: ProviderScene;

  beforeAll(async () => {
    scene = await ProviderScene.start(shape, adapter);
  });
  afterAll(() => scene.stop());

  it('configures a server that takes what the provider gives (AUTH-17)', async () => {
    const headers = authorize(await scene.sign(shape.good));
    const call = perRequest(scene.desk.url, { headers }).request('tools/call', { name: 'whoami' });
    expect(textOf((await call).result ?? {})).toBe(shape.subject);
  });

  it.each(Object.entries(shape.wrong))(
    'configures a server that refuses %s (AUTH-17)',
    async (_what, { token, log }) => {
      scene.log.clear();
      expect(await knock(scene, token)).toBe(401);
      expect(scene.log.find('debug', 'A token was refused: ')).toEqual([expect.stringMatching(log)]);
    },
  );

  it('leads a client to the provider, which then knows where to log in (PEER-04)', async () => {
    const { issuer } = shape.metadata.document;
    const { authorizationServer } = await discoverMcpAuth(RESOURCE, { fetch: scene.fetch });
    expect(authorizationServer).toMatchObject({
      issuer,
      authorization_endpoint: shape.metadata.document['authorization_endpoint'],
    });
    expect(saysPkce(authorizationServer)).toBe(shape.isSilentOnPkce !== true);
    assertPkceSupported(authorizationServer, { assumeS256: [String(issuer)] });
  });
});

function saysPkce(metadata: AuthorizationServerMetadata): boolean {
  try {
    assertPkceSupported(metadata);
    return true;
  } catch (error) {
    if (!(error instanceof PkceUnsupportedError) || !error.message.includes('"assumeS256"')) throw error;
    return false;
  }
}

async function knock(scene: ProviderScene, token: TokenShape | string): Promise<number> {
  const headers = {
    ...authorize(await scene.sign(token)),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return (await sendHttp(scene.desk.url, { method: 'POST', headers, body: '{}' })).status;
}
