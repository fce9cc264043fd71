import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpExtensions, McpModule, type McpExtension } from 'nestjs-mcp';
import { z } from 'zod';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../support/clients/json-rpc.js';

/** Published after the library was: nobody but the application knows it. */
const ID = 'io.modelcontextprotocol/bookmarks';
const SETTINGS = { folders: true };
const INFO = { name: 'reader', version: '1.0.0' };
const DECLARED = { extensions: { [ID]: {} } };
const Bookmarks = z.looseObject({ bookmarks: z.array(z.string()) });

const BOOKMARKS: McpExtension = {
  id: ID,
  published: SETTINGS,
  methods: [{ method: 'bookmarks/list', handle: () => ({ bookmarks: ['tides'] }) }],
};

@Injectable()
class BookmarksExtension implements OnModuleInit {
  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    this.extensions.register(BOOKMARKS);
  }
}

describe.each(ADAPTERS)('A published extension that the application serves, on %s', (adapter) => {
  let server: RunningApp;

  beforeAll(async () => {
    server = await bootServer({ adapter, providers: [BookmarksExtension] });
  });

  afterAll(() => server.close());

  it.each(HANDSHAKE_VERSIONS)(
    'has its settings under its id, and nothing else, in %s (EXT-01)',
    async (version) => {
      const { result } = await initialize(server.url, { version });
      expect(result['capabilities']).toHaveProperty('extensions', { [ID]: SETTINGS });
    },
  );

  it('has its settings under its id, and nothing else, in 2026-07-28 (EXT-01)', async () => {
    const { result } = await perRequest(server.url).request('server/discover');
    expect(result?.['capabilities']).toHaveProperty('extensions', { [ID]: SETTINGS });
  });

  it('is found and used by the official client v1 (EXT-03)', async () => {
    const client = new ClientV1(INFO, { capabilities: DECLARED });
    await client.connect(new TransportV1(new URL(server.url)));
    expect(client.getServerCapabilities()?.extensions).toEqual({ [ID]: SETTINGS });
    expect(await client.request({ method: 'bookmarks/list' }, Bookmarks)).toMatchObject({
      bookmarks: ['tides'],
    });
    await client.close();
  });

  it.each(['legacy', { pin: '2026-07-28' }] as const)(
    'is found and used by the official client v2, negotiating by %j (EXT-03)',
    async (mode) => {
      const client = new Client(INFO, { capabilities: DECLARED, versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
      expect(client.getServerCapabilities()?.extensions).toEqual({ [ID]: SETTINGS });
      expect(await client.request({ method: 'bookmarks/list' }, Bookmarks)).toMatchObject({
        bookmarks: ['tides'],
      });
      await client.close();
    },
  );
});

describe('An extension with a prefix of the protocol', () => {
  it('keeps the application from starting if it does not say that it is published (EXT-01) (MOD-11)', async () => {
    @Injectable()
    class OwnExtension implements OnModuleInit {
      constructor(private readonly extensions: McpExtensions) {}

      onModuleInit(): void {
        this.extensions.register({ id: ID, specVersion: '2026-07-28', stability: 'experimental' });
      }
    }

    const failure = await bootFailure({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
      providers: [OwnExtension],
    });
    expect(failure).toMatchObject({
      name: 'ExtensionError',
      message:
        `The extension "${ID}" has a prefix that is reserved for the protocol: use a domain that you own, ` +
        'or set "published" to its settings if it is a published extension',
    });
  });
});
