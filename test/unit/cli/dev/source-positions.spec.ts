import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SourcePositions } from '../../../../cli/dev/source-positions.js';

describe('SourcePositions', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'nestjs-mcp-positions-'));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  /** Compiles a line of code, as far as its map is concerned. */
  const find = (map: object) => {
    const file = join(root, 'compiled.js');
    const text = Buffer.from(JSON.stringify({ version: 3, names: [], ...map })).toString('base64');
    writeFileSync(file, `code\n//# sourceMappingURL=data:application/json;base64,${text}`);
    return { file, found: new SourcePositions(root).find({ file, line: 1, column: 1 }) };
  };

  it('finds where a place comes from', () => {
    const { found } = find({ sources: ['source.ts'], mappings: 'AACA' });
    expect(found).toMatchObject({ file: join(root, 'source.ts'), line: 2, column: 1 });
  });

  it.each([
    ['a segment without a source', { sources: ['source.ts'], mappings: 'A,IAAA' }],
    ['a source without a name', { sources: [null], mappings: 'AAAA' }],
    ['a file of another machine', { sources: ['file://elsewhere/source.ts'], mappings: 'AAAA' }],
    ['nothing', {}],
  ])('gives the place itself if the map has %s', (_, map) => {
    const { file, found } = find(map);
    expect(found).toMatchObject({ file, line: 1, column: 1 });
  });

  it('opens nothing that is no file', () => {
    const place = { file: '/dev/zero', line: 1, column: 1 };
    expect(new SourcePositions(root).find(place)).toEqual(place);
  });
});
