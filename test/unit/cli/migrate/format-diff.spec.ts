import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { formatDiff } from '../../../../cli/migrate/format-diff.js';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);
const join_ = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');

describe('formatDiff()', () => {
  it('shows changes that are far apart in parts', () => {
    const before = lines(30);
    const after = before.with(2, 'second').with(20, 'twentieth');
    const diff = formatDiff({ path: 'a.ts', before: join_(before), after: join_(after) });
    expect(diff.split('\n').filter((line) => /^@@|^[-+]/.test(line))).toEqual([
      '--- a/a.ts',
      '+++ b/a.ts',
      '@@ -1,6 +1,6 @@',
      '-line 2',
      '+second',
      '@@ -18,7 +18,7 @@',
      '-line 20',
      '+twentieth',
    ]);
  });

  it('needs little memory for long files that have nothing in common', () => {
    const [before, after] = ['one', 'other'].map((name) =>
      join_(lines(4000).map((line) => `${name} ${line}`)),
    );
    const { arrayBuffers } = process.memoryUsage();
    const diff = formatDiff({ path: 'a.ts', before: before ?? '', after: after ?? '' });
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(16 * 1024 * 1024);
    expect(diff.split('\n')).toHaveLength(8003);
  });

  it('shows that the last line has no end', () => {
    const diff = formatDiff({ path: 'a.ts', before: 'one\ntwo', after: 'one\ntwo\n' });
    expect(diff.split('\n').slice(3)).toEqual([
      ' one',
      '-two',
      String.raw`\ No newline at end of file`,
      '+two',
    ]);
  });

  it('can be applied by git', () => {
    const before = lines(40);
    const after = [
      ...before.slice(3, 10),
      'one',
      'two',
      ...before.slice(8, 33),
      'three',
      ...before.slice(35),
    ];
    const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-diff-'));
    try {
      writeFileSync(join(folder, 'a.ts'), join_(before));
      const diff = formatDiff({ path: 'a.ts', before: join_(before), after: join_(after) });
      execFileSync('git', ['apply', '-'], { cwd: folder, input: `${diff}\n` });
      expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe(join_(after));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
