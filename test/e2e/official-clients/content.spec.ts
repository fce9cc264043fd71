import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Tool } from 'nestjs-mcp';
import { z } from 'zod';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';

const DATA = 'iVBOR/v/';
const IMAGE = { type: 'image', data: DATA, mimeType: 'image/png' };
const TEXT = { type: 'text', text: 'see' };

/** What a handler gives, and what of it arrives. */
const RIGHT: readonly (readonly [string, unknown, readonly unknown[]])[] = [
  ['a data URL', [TEXT, { ...IMAGE, data: `data:image/png;base64,${DATA}` }], [TEXT, IMAGE]],
  ['base64url', [{ ...IMAGE, data: 'iVBOR_v_' }], [IMAGE]],
  ['base64 without padding', [{ ...IMAGE, data: 'iVBOR/s' }], [{ ...IMAGE, data: 'iVBOR/s=' }]],
  ['bytes', { content: [{ ...IMAGE, data: Buffer.from(DATA, 'base64') }] }, [IMAGE]],
  ['one block', { ...IMAGE, data: Buffer.from(DATA, 'base64') }, [IMAGE]],
];

/** What a handler gives that no client would take. */
const WRONG: readonly (readonly [string, unknown])[] = [
  ['an image that is not base64', [{ ...IMAGE, data: 'hällo' }]],
  ['an image without a media type', [TEXT, { type: 'image', data: DATA }]],
  ['an image with a media type in another spelling', [{ type: 'image', data: DATA, mime_type: 'image/png' }]],
  ['a text among blocks that is a number', [TEXT, { type: 'text', text: 5 }]],
  ['a value among blocks', { content: [TEXT, 'and this'] }],
  ['an embedded blob that is not base64', [{ type: 'resource', resource: { uri: 'a:b', blob: '?' } }]],
  ['annotations out of their range', [{ ...TEXT, annotations: { priority: 7 } }]],
  ['a Map in structured content', { content: [TEXT], structuredContent: { m: new Map([['a', 1]]) } }],
  ['a Set in metadata', { content: [TEXT], _meta: { seen: new Set([1]) } }],
  ['a DataView', { view: new DataView(new ArrayBuffer(2)) }],
  ['a SharedArrayBuffer', { shared: new SharedArrayBuffer(2) }],
];

const VALUES = new Map<string, unknown>([...RIGHT, ...WRONG].map(([what, value]) => [what, value]));

@Injectable()
class ContentTools {
  @Tool({ description: 'Gives a value', inputSchema: z.object({ what: z.string() }) })
  give({ what }: { what: string }): unknown {
    return VALUES.get(what);
  }
}

interface Connected {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const CLIENTS: readonly (readonly [string, (url: URL) => Promise<Connected>])[] = [
  [
    'v1',
    async (url) => {
      const client = new ClientV1({ name: 'reader', version: '1.0.0' });
      await client.connect(new HttpV1(url));
      return client;
    },
  ],
  [
    'v2',
    async (url) => {
      const client = new ClientV2(
        { name: 'reader', version: '1.0.0' },
        { versionNegotiation: { mode: 'auto' } },
      );
      await client.connect(new HttpV2(url));
      return client;
    },
  ],
];

describe.each(CLIENTS)('Content of a tool, as the official client %s reads it', (_version, connect) => {
  let desk: RunningApp;
  let client: Connected;

  beforeAll(async () => {
    desk = await bootServer({ providers: [ContentTools] });
    client = await connect(new URL(desk.url));
  });

  afterAll(async () => {
    await client.close();
    await desk.close();
  });

  it.each(RIGHT)('arrives where it is %s (HOST-04)', async (what, _value, content) => {
    const result = await client.callTool({ name: 'give', arguments: { what } });
    expect(result).toMatchObject({ content });
  });

  it.each(WRONG)('fails the call, and not its client, where it has %s (HOST-04)', async (what) => {
    const result = await client.callTool({ name: 'give', arguments: { what } });
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  });
});
