import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, StreamableFile } from '@nestjs/common';
import { Prompt, Resource, Tool, type ContentBlock } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);
const BASE64 = BYTES.toString('base64');

const BLOCKS: Readonly<Record<string, ContentBlock>> = {
  text: { type: 'text', text: 'plain', annotations: { audience: ['user'], priority: 0.5 } },
  image: { type: 'image', data: BASE64, mimeType: 'image/png' },
  audio: { type: 'audio', data: BASE64, mimeType: 'audio/wav' },
  resource: { type: 'resource', resource: { uri: 'desk://a', mimeType: 'text/plain', text: 'inside' } },
  blob: { type: 'resource', resource: { uri: 'desk://b', mimeType: 'image/png', blob: BASE64 } },
  resource_link: { type: 'resource_link', uri: 'desk://c', name: 'c', mimeType: 'text/plain' },
};

@Injectable()
class DeskContent {
  @Tool({
    description: 'Gives one block',
    inputSchema: { type: 'object', properties: { kind: { type: 'string' } } },
  })
  one({ kind }: { kind: string }) {
    return BLOCKS[kind];
  }

  @Tool({ description: 'Gives all blocks' })
  all() {
    return Object.values(BLOCKS);
  }

  @Tool({ description: 'Gives an empty array' })
  none() {
    return [];
  }

  @Tool({ description: 'Gives a plain object' })
  structured() {
    return { open: 3, oldest: { id: 7 } };
  }

  @Tool({ description: 'Gives a whole result' })
  whole() {
    return {
      content: [{ type: 'text' as const, text: 'three' }],
      structuredContent: { open: 3 },
      _meta: { 'example.com/took': 5 },
    };
  }

  @Prompt()
  picture() {
    return [{ role: 'user' as const, content: BLOCKS['image'] as ContentBlock }];
  }

  @Prompt()
  attachment() {
    return { role: 'assistant' as const, content: BLOCKS['resource'] as ContentBlock };
  }

  @Resource({ uri: 'desk://text' })
  text() {
    return 'words';
  }

  @Resource({ uri: 'desk://json' })
  json() {
    return { open: 3 };
  }

  @Resource({ uri: 'desk://buffer', mimeType: 'image/png' })
  buffer() {
    return BYTES;
  }

  @Resource({ uri: 'desk://array', mimeType: 'image/png' })
  array() {
    return new Uint8Array(BYTES);
  }

  @Resource({ uri: 'desk://stream', mimeType: 'application/octet-stream' })
  stream() {
    return Readable.from([BYTES.subarray(0, 2), BYTES.subarray(2)]);
  }

  @Resource({ uri: 'desk://file' })
  file() {
    return new StreamableFile(Readable.from([BYTES]), { type: 'image/png' });
  }

  @Resource({ uri: 'desk://parts' })
  parts() {
    return {
      contents: [
        { uri: 'desk://parts/1', mimeType: 'text/plain', text: 'one' },
        { uri: 'desk://parts/2', mimeType: 'image/png', blob: BASE64 },
      ],
    };
  }
}

describe.each(ADAPTERS)('content on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskContent] });
  });

  afterAll(() => desk.close());

  /** Asks on both wires and gives the two results. */
  async function ask(method: string, params: JsonObject): Promise<(JsonObject | undefined)[]> {
    const session = await initialize(desk.url);
    const answers = [
      await session.request(method, params),
      await perRequest(desk.url).request(method, params),
    ];
    return answers.map(({ result }) => result);
  }

  it.each(Object.keys(BLOCKS))('gives a block of kind %s as it is (CORE-06)', async (kind) => {
    for (const result of await ask('tools/call', { name: 'one', arguments: { kind } })) {
      expect(result?.['content']).toEqual([BLOCKS[kind]]);
    }
  });

  it('gives several blocks in order (CORE-06)', async () => {
    for (const result of await ask('tools/call', { name: 'all' })) {
      expect(result?.['content']).toEqual(Object.values(BLOCKS));
    }
  });

  it('gives an empty array as the array that it is (CORE-06) (CAT-03)', async () => {
    const [old, newest] = await ask('tools/call', { name: 'none' });
    expect(old?.['content']).toEqual([{ type: 'text', text: '[]' }]);
    expect(newest).toMatchObject({ content: [{ type: 'text', text: '[]' }], structuredContent: [] });
  });

  it('gives a plain object as structured content and as JSON text (CORE-06)', async () => {
    const value = { open: 3, oldest: { id: 7 } };
    for (const result of await ask('tools/call', { name: 'structured' })) {
      expect(result?.['structuredContent']).toEqual(value);
      expect(result?.['content']).toEqual([{ type: 'text', text: JSON.stringify(value) }]);
    }
  });

  it('gives a whole result as it is (CORE-06)', async () => {
    for (const result of await ask('tools/call', { name: 'whole' })) {
      expect(result).toMatchObject({
        content: [{ type: 'text', text: 'three' }],
        structuredContent: { open: 3 },
        _meta: { 'example.com/took': 5 },
      });
    }
  });

  it.each<[string, JsonObject]>([
    ['picture', { role: 'user', content: BLOCKS['image'] }],
    ['attachment', { role: 'assistant', content: BLOCKS['resource'] }],
  ])('gives the block of the prompt %s (CORE-06)', async (name, message) => {
    for (const result of await ask('prompts/get', { name })) {
      expect(result?.['messages']).toEqual([message]);
    }
  });

  it.each<[string, JsonObject[]]>([
    ['desk://text', [{ uri: 'desk://text', mimeType: 'text/plain', text: 'words' }]],
    ['desk://json', [{ uri: 'desk://json', mimeType: 'application/json', text: '{"open":3}' }]],
    ['desk://buffer', [{ uri: 'desk://buffer', mimeType: 'image/png', blob: BASE64 }]],
    ['desk://array', [{ uri: 'desk://array', mimeType: 'image/png', blob: BASE64 }]],
    ['desk://stream', [{ uri: 'desk://stream', mimeType: 'application/octet-stream', blob: BASE64 }]],
    ['desk://file', [{ uri: 'desk://file', mimeType: 'image/png', blob: BASE64 }]],
    [
      'desk://parts',
      [
        { uri: 'desk://parts/1', mimeType: 'text/plain', text: 'one' },
        { uri: 'desk://parts/2', mimeType: 'image/png', blob: BASE64 },
      ],
    ],
  ])('reads %s as text or as base64 (CORE-06)', async (uri, contents) => {
    for (const result of await ask('resources/read', { uri })) {
      expect(result?.['contents']).toEqual(contents);
    }
  });
});
