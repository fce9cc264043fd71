import { describe, expect, it } from '@jest/globals';
import { isContentBlock, type ContentBlock } from '../../../../../lib/core/protocol/content.js';
import {
  encodeCallToolResult,
  encodeGetPromptResult,
  encodeReadResourceResult,
} from '../../../../../lib/core/protocol/encoding/encode-result.js';
import { REVISIONS, type Revision } from '../../../../../lib/core/protocol/revisions.js';
import type { CacheHint } from '../../../../../lib/core/protocol/results.js';

const META = { 'x.example/a': 1 };
const DATED = { audience: ['user'], priority: 1, lastModified: '2026-01-01T00:00:00Z' } as const;
const UNDATED = { audience: ['user'], priority: 1 } as const;
const ICONS = [{ src: 'https://desk.example/icon.png' }];
const HINT: CacheHint = { ttlMs: 0, scope: 'private' };

const TEXT: ContentBlock = { type: 'text', text: 'hello', annotations: DATED, _meta: META };
const IMAGE: ContentBlock = {
  type: 'image',
  data: 'AA==',
  mimeType: 'image/png',
  annotations: DATED,
  _meta: META,
};
const AUDIO: ContentBlock = {
  type: 'audio',
  data: 'AA==',
  mimeType: 'audio/wav',
  annotations: DATED,
  _meta: META,
};
const RESOURCE: ContentBlock = {
  type: 'resource',
  resource: { uri: 'desk://1', mimeType: 'text/plain', text: 'one', _meta: META },
  annotations: DATED,
  _meta: META,
};
const LINK: ContentBlock = {
  type: 'resource_link',
  uri: 'desk://1',
  name: 'one',
  title: 'One',
  icons: ICONS,
  annotations: DATED,
  _meta: META,
};

const write = (encoded: unknown) => JSON.parse(JSON.stringify(encoded)) as Record<string, unknown>;
const without = (block: ContentBlock, ...names: string[]) =>
  Object.fromEntries(Object.entries(block).filter(([name]) => !names.includes(name)));

const bare = (block: ContentBlock) => ({ ...without(block, '_meta'), annotations: UNDATED });
const BARE_RESOURCE = {
  ...bare(RESOURCE),
  resource: { uri: 'desk://1', mimeType: 'text/plain', text: 'one' },
};
const AUDIO_TEXT = { type: 'text', text: '[audio: audio/wav]' };
const LINK_TEXT = { type: 'text', text: 'One: desk://1' };

/** Each kind of content as each revision publishes it, in the order of the table. */
const MATRIX: readonly [kind: string, block: ContentBlock, byRevision: readonly unknown[]][] = [
  ['text', TEXT, [bare(TEXT), bare(TEXT), TEXT, TEXT, TEXT]],
  ['an image', IMAGE, [bare(IMAGE), bare(IMAGE), IMAGE, IMAGE, IMAGE]],
  ['audio', AUDIO, [AUDIO_TEXT, bare(AUDIO), AUDIO, AUDIO, AUDIO]],
  ['an embedded resource', RESOURCE, [BARE_RESOURCE, BARE_RESOURCE, RESOURCE, RESOURCE, RESOURCE]],
  ['a resource link', LINK, [LINK_TEXT, LINK_TEXT, without(LINK, 'icons'), LINK, LINK]],
];

const CASES = MATRIX.flatMap(([kind, block, byRevision]) =>
  REVISIONS.map((revision, index) => ({
    kind,
    version: revision.version,
    block,
    revision,
    expected: byRevision[index],
  })),
);

const readOf = (text: string, revision: Revision) =>
  write(encodeReadResourceResult({ contents: [{ uri: 'desk://1', text, _meta: META }] }, revision, HINT));

describe('The encoding of content', () => {
  it.each(CASES)(
    'gives $kind in a tool result of $version as it is defined there (VER-03, CORE-06)',
    (row) => {
      expect(write(encodeCallToolResult({ content: [row.block] }, row.revision))).toEqual({
        content: [row.expected],
      });
    },
  );

  it.each(CASES)('gives $kind in a prompt of $version as it is defined there (VER-03, CORE-06)', (row) => {
    const result = {
      messages: [{ role: 'user' as const, content: row.block }],
      description: 'd',
      _meta: META,
    };
    expect(write(encodeGetPromptResult(result, row.revision))).toEqual({
      description: 'd',
      messages: [{ role: 'user', content: row.expected }],
      _meta: META,
    });
  });

  it.each(REVISIONS)(
    'gives metadata of resource contents in $version only where they have some (VER-03)',
    (revision) => {
      const [contents] = readOf('one', revision)['contents'] as object[];
      expect('_meta' in contents!).toBe(revision.version >= '2025-06-18');
    },
  );

  it.each(REVISIONS)(
    'gives a read of $version its hint where there are hints (VER-03, VER-05)',
    (revision) => {
      expect('ttlMs' in readOf('one', revision)).toBe(revision.version === '2026-07-28');
    },
  );

  it.each<[string, unknown, (string | undefined)[]]>([
    ['an object', { a: 1 }, [undefined, undefined, '{"a":1}', '{"a":1}', '{"a":1}']],
    ['an array', [1], [undefined, undefined, undefined, undefined, '[1]']],
    ['a text', 'a', [undefined, undefined, undefined, undefined, '"a"']],
    ['null', null, [undefined, undefined, undefined, undefined, 'null']],
    ['false', false, [undefined, undefined, undefined, undefined, 'false']],
  ])(
    'shows structured content that is %s where the revision can have it (VER-03)',
    (_kind, structuredContent, shown) => {
      const results = REVISIONS.map((revision) =>
        encodeCallToolResult({ content: [], structuredContent }, revision),
      );
      expect(results.map((result) => JSON.stringify(result['structuredContent']))).toEqual(shown);
    },
  );

  it('keeps the mark of an error and the metadata of a result in every revision (CORE-05)', () => {
    for (const revision of REVISIONS) {
      const result = encodeCallToolResult({ content: [], isError: true, _meta: META }, revision);
      expect(result).toEqual({ content: [], isError: true, _meta: META });
    }
  });

  it('passes on no member of a result that the protocol does not define (VER-03)', () => {
    const result = { content: [], resultType: 'task', secret: 1 };
    for (const revision of REVISIONS) expect(encodeCallToolResult(result, revision)).toEqual({ content: [] });
  });

  it('changes no content (VER-03)', () => {
    const blocks = [TEXT, IMAGE, AUDIO, RESOURCE, LINK];
    const before = JSON.stringify(blocks);
    for (const revision of REVISIONS) encodeCallToolResult({ content: blocks }, revision);
    expect(JSON.stringify(blocks)).toBe(before);
  });
});

describe('isContentBlock', () => {
  it.each([TEXT, IMAGE, AUDIO, RESOURCE, LINK])('knows $type (CORE-06)', (block) => {
    expect(isContentBlock(block)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'text'],
    ['an object without a type', { text: 'a' }],
    ['a kind that is not published', { type: 'video', data: '', mimeType: 'video/mp4' }],
    ['the name of an inherited member', { type: 'toString' }],
    ['text without text', { type: 'text' }],
    ['text that is a number', { type: 'text', text: 7 }],
    ['an image without bytes', { type: 'image', mimeType: 'image/png' }],
    [
      'an image with bytes that are no base64 text',
      { type: 'image', data: Buffer.from('a'), mimeType: 'image/png' },
    ],
    ['an image of no media type', { type: 'image', data: 'AA==' }],
    ['audio of no media type', { type: 'audio', data: 'AA==' }],
    ['no resource', { type: 'resource' }],
    ['the resource null', { type: 'resource', resource: null }],
    ['a resource without contents', { type: 'resource', resource: { uri: 'desk://1' } }],
    ['a resource without a URI', { type: 'resource', resource: { text: 'a' } }],
    ['a link to nowhere', { type: 'resource_link', name: 'a' }],
    ['a link without a name', { type: 'resource_link', uri: 'desk://1' }],
  ])('does not take for content: %s (CORE-06)', (_what, value) => {
    expect(isContentBlock(value)).toBe(false);
  });
});
