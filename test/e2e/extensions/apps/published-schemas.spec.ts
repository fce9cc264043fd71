import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import {
  getToolUiResourceUri,
  isToolVisibilityAppOnly,
  McpUiResourceMetaSchema,
  McpUiToolMetaSchema,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { EXTENSION_ID } from '@modelcontextprotocol/ext-apps/server';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootApps } from './board.app.js';

const VERSIONS: readonly { readonly version: string; readonly wire: ClientOptions }[] = [
  { version: '2026-07-28', wire: { versionNegotiation: { mode: { pin: '2026-07-28' } } } },
  { version: '2025-11-25', wire: { versionNegotiation: { mode: 'legacy' } } },
];

let server: RunningApp;
let client: Client;

afterEach(async () => {
  await client.close();
  await server.close();
});

describe.each(ADAPTERS.flatMap((adapter) => VERSIONS.map((version) => ({ adapter, ...version }))))(
  'The official client in $version on $adapter, with the schemas of the extension',
  ({ adapter, wire }) => {
    it('finds what hosts read: the app of a tool, its page and what that declares (XTN-02)', async () => {
      server = await bootApps(adapter);
      const extensions = { [EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } };
      client = new Client({ name: 'host', version: '1.0.0' }, { ...wire, capabilities: { extensions } });
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
      expect(client.getServerCapabilities()?.extensions?.[EXTENSION_ID]).toEqual({});
      const { tools } = await client.listTools();
      const shown = tools.filter((tool) => getToolUiResourceUri(tool) !== undefined);
      expect(shown.map(({ name }) => name)).toEqual(['show', 'close', 'panel', 'draw']);
      expect(tools.filter(isToolVisibilityAppOnly).map(({ name }) => name)).toEqual(['close']);
      for (const { _meta } of shown) McpUiToolMetaSchema.parse(_meta?.['ui']);
      for (const uri of new Set(shown.map((tool) => getToolUiResourceUri(tool)!))) {
        const { contents } = await client.readResource({ uri });
        expect(contents).toEqual([
          expect.objectContaining({ uri, mimeType: RESOURCE_MIME_TYPE, text: expect.any(String) }),
        ]);
        McpUiResourceMetaSchema.parse(contents[0]?._meta?.['ui'] ?? {});
      }
    });
  },
);
