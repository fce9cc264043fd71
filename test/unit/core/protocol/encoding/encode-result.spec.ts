import { describe, expect, it } from '@jest/globals';
import {
  encodeCacheHint,
  encodeCompleteResult,
  encodeInitializeResult,
  encodeServerCapabilities,
  sealResult,
} from '../../../../../lib/core/protocol/encoding/encode-result.js';
import { MetaKey } from '../../../../../lib/core/protocol/meta-keys.js';
import { REVISIONS } from '../../../../../lib/core/protocol/revisions.js';
import type { CacheHint } from '../../../../../lib/core/protocol/results.js';

const SERVER = { name: 'desk', version: '1.0.0', title: 'Desk' };
const HINT: CacheHint = { ttlMs: 5000, scope: 'public' };

const write = (encoded: unknown) => JSON.parse(JSON.stringify(encoded)) as Record<string, unknown>;

describe('encodeCompleteResult (MCP server/utilities/completion)', () => {
  it('gives values, total and whether there are more (CORE-03)', () => {
    const completion = { values: ['a', 'b'], total: 7, hasMore: true };
    expect(write(encodeCompleteResult({ completion }))).toEqual({ completion });
  });

  it('says nothing of a total that is not known (CORE-03)', () => {
    expect(write(encodeCompleteResult({ completion: { values: ['a'] } }))).toEqual({
      completion: { values: ['a'] },
    });
  });

  it.each([
    [100, undefined],
    [101, { total: 101, hasMore: true }],
    [250, { total: 250, hasMore: true }],
  ])('cuts %d values to a hundred and says so (CORE-03)', (count, said) => {
    const values = Array.from({ length: count }, (_, index) => `v${index}`);
    expect(write(encodeCompleteResult({ completion: { values } }))).toEqual({
      completion: { values: values.slice(0, 100), ...said },
    });
  });

  it.each([
    [5000, 5000],
    [7, 101],
  ])('says that there are more where it cuts, whatever the handler says (CORE-03)', (total, told) => {
    const values = Array.from({ length: 101 }, String);
    const { completion } = encodeCompleteResult({ completion: { values, total, hasMore: false } });
    expect(completion).toMatchObject({ total: told, hasMore: true });
  });
});

describe('encodeServerCapabilities', () => {
  const capabilities = {
    tools: { listChanged: true },
    completions: {},
    logging: {},
    tasks: { list: {} },
    extensions: { 'io.example/x': {} },
  };

  it.each([
    ['2024-11-05', ['extensions', 'logging', 'tools']],
    ['2025-03-26', ['completions', 'extensions', 'logging', 'tools']],
    ['2025-06-18', ['completions', 'extensions', 'logging', 'tools']],
    ['2025-11-25', ['completions', 'extensions', 'logging', 'tasks', 'tools']],
    ['2026-07-28', ['completions', 'extensions', 'logging', 'tools']],
  ])('declares in %s: %j (VER-03)', (version, names) => {
    const revision = REVISIONS.find((row) => row.version === version)!;
    expect(Object.keys(encodeServerCapabilities(capabilities, revision)).toSorted()).toEqual(names);
  });

  it.each(REVISIONS)(
    'is part of the answer to initialize, as is the server of $version (VER-03)',
    (revision) => {
      const result = write(
        encodeInitializeResult(
          { protocolVersion: revision.version, capabilities, serverInfo: SERVER, instructions: 'Ask.' },
          revision,
        ),
      );
      expect(result).toEqual({
        protocolVersion: revision.version,
        capabilities: encodeServerCapabilities(capabilities, revision),
        serverInfo: revision.defines.title ? SERVER : { name: 'desk', version: '1.0.0' },
        instructions: 'Ask.',
      });
    },
  );
});

describe('encodeCacheHint (MCP 2026-07-28 server/utilities/caching)', () => {
  it.each(REVISIONS)(
    'is on results of $version only where that revision has hints (VER-03, VER-05)',
    (revision) => {
      expect(encodeCacheHint(HINT, revision)).toEqual(
        revision.version === '2026-07-28' ? { ttlMs: 5000, cacheScope: 'public' } : {},
      );
    },
  );
});

describe('sealResult (MCP 2026-07-28 basic, "Results")', () => {
  const [november2024, , , november2025, july2026] = REVISIONS;

  it.each([november2024!, november2025!])('adds nothing to a result of $version (VER-03)', (revision) => {
    expect(sealResult({ content: [], _meta: { a: 1 } }, revision, SERVER)).toEqual({
      content: [],
      _meta: { a: 1 },
    });
  });

  it('says on the stateless wire that the result is complete, and of which server (VER-03)', () => {
    expect(sealResult({}, july2026!, SERVER)).toEqual({
      resultType: 'complete',
      _meta: { [MetaKey.serverInfo]: SERVER },
    });
  });

  it('keeps a result type and metadata, but lets nobody speak for the server (VER-03)', () => {
    const _meta = { 'x.example/a': 1, [MetaKey.serverInfo]: { name: 'somebody else', version: '0' } };
    const sealed = sealResult({ resultType: 'input_required', _meta }, july2026!, SERVER);
    expect(sealed).toEqual({
      resultType: 'input_required',
      _meta: { 'x.example/a': 1, [MetaKey.serverInfo]: SERVER },
    });
    expect(_meta[MetaKey.serverInfo]).toEqual({ name: 'somebody else', version: '0' });
  });
});
