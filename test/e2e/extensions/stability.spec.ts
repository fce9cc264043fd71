import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpExtensions, type ExtensionStability } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../support/clients/json-rpc.js';

const STABILITIES: readonly ExtensionStability[] = ['experimental', 'stable', 'deprecated'];

@Injectable()
class Registrations implements OnModuleInit {
  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    for (const stability of STABILITIES) {
      this.extensions.register({ id: `com.example/${stability}`, specVersion: '2026-07-28', stability });
    }
  }
}

const DECLARED = {
  'com.example/experimental': { specVersion: '2026-07-28', stability: 'experimental' },
  'com.example/stable': { specVersion: '2026-07-28', stability: 'stable' },
  'com.example/deprecated': { specVersion: '2026-07-28', stability: 'deprecated' },
};

describe.each(ADAPTERS)('How settled an extension is, on %s', (adapter) => {
  let server: RunningApp;

  beforeAll(async () => {
    server = await bootServer({ adapter, providers: [Registrations] });
  });

  afterAll(() => server.close());

  it.each(HANDSHAKE_VERSIONS)(
    'is told at the handshake of %s, that it is deprecated too (EXT-01)',
    async (version) => {
      const { result } = await initialize(server.url, { version });
      expect((result['capabilities'] as { extensions?: object }).extensions).toEqual(DECLARED);
    },
  );

  it('is told by "server/discover", that it is deprecated too (EXT-01)', async () => {
    const result = await perRequest(server.url).start('server/discover').result();
    expect((result['capabilities'] as { extensions?: object }).extensions).toEqual(DECLARED);
  });
});
