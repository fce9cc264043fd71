import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ROOT } from './layer-table.js';

const PAGE = `# Clauses

- BOOK-01 A book can be lent.
- BOOK-02 (planned) A book can be returned.
`;

const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-clauses-'));
mkdirSync(join(folder, 'tools'));
mkdirSync(join(folder, 'test'));
cpSync(join(ROOT, 'tools/clauses.js'), join(folder, 'tools/clauses.js'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(join(folder, 'test/clauses.md'), PAGE);

afterAll(() => rmSync(folder, { recursive: true }));

function listClauses(...results: string[]) {
  const { status, stdout } = spawnSync(process.execPath, ['tools/clauses.js', ...results], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, lines: stdout.split('\n') };
}

/** Lists them with tests that are written. */
function listWith(...titles: string[]) {
  const text = titles.map((title) => `it('${title}', () => {});\n`).join('');
  writeFileSync(join(folder, 'test/planted.spec.ts'), text);
  return listClauses();
}

describe('The list of clauses', () => {
  it('passes where every kept clause has a test and no planned one has', () => {
    const { status, lines } = listWith('lends (BOOK-01)', 'lends twice (BOOK-01)');
    expect(status).toBe(0);
    expect(lines).toEqual([
      'BOOK-01         2  A book can be lent.',
      'BOOK-02   planned  A book can be returned.',
      '',
      '1 clauses, 1 with a test that is written',
      '1 clauses planned, 0 with a test that is written',
      '',
    ]);
  });

  it('fails where a kept clause has no test', () => {
    const { status, lines } = listWith('lends');
    expect(status).toBe(1);
    expect(lines).toContain('Without one: BOOK-01');
  });

  it('fails where a planned clause has a test', () => {
    const { status, lines } = listWith('lends and takes back (BOOK-01, BOOK-02)');
    expect(status).toBe(1);
    expect(lines).toContain('1 clauses planned, 1 with a test that is written');
    expect(lines).toContain('No longer planned, so that "(planned)" has to go: BOOK-02');
  });

  it('counts tests that passed, where it is given results', () => {
    const assertionResults = [
      { status: 'passed', fullName: 'A book is lent (BOOK-01)' },
      { status: 'failed', fullName: 'A book is returned (BOOK-02)' },
    ];
    writeFileSync(join(folder, 'results.json'), JSON.stringify({ testResults: [{ assertionResults }] }));
    const { status, lines } = listClauses('results.json');
    expect(status).toBe(0);
    expect(lines).toContain('1 clauses, 1 with a test that passes');
    expect(lines).toContain('1 clauses planned, 0 with a test that passes');
  });
});
