import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ProseFolder } from './prose-folder.js';

const PAGES = { 'docs/old.md': 'It begins anew.\n', 'docs/new.md': 'It begins again.\n' };

describe('The list of files that need not keep a rule yet', () => {
  it('lets a file off the rule under which it stands, and off no other', () => {
    const folder = new ProseFolder(
      { ...PAGES, 'docs/old.md': 'It begins anew, but for one.\n' },
      { anew: ['docs/old.md'] },
    );
    const { status, faults } = folder.check();
    folder.remove();
    expect(status).toBe(1);
    expect(faults).toEqual(['docs/old.md:1 Write "except" instead of "but for" (but-for)']);
  });

  it('may not have a file that keeps the rule', () => {
    const folder = new ProseFolder(PAGES, { anew: ['docs/old.md', 'docs/new.md', 'docs/gone.md'] });
    const { status, faults } = folder.check();
    folder.remove();
    expect(status).toBe(1);
    expect(faults).toEqual([
      'tools/prose/not-yet.json can lose docs/new.md (anew): run "npm run prose -- --shrink"',
      'tools/prose/not-yet.json can lose docs/gone.md (anew): run "npm run prose -- --shrink"',
    ]);
  });

  it('may not name what is no rule', () => {
    const folder = new ProseFolder({}, { again: [] });
    const { faults } = folder.check();
    folder.remove();
    expect(faults).toEqual(['tools/prose/not-yet.json names "again", which is no rule']);
  });

  it('loses what keeps its rule by "--shrink", and gains nothing', () => {
    const folder = new ProseFolder(
      { ...PAGES, 'docs/worse.md': 'It begins anew.\n' },
      { anew: ['docs/old.md', 'docs/new.md'], heed: ['docs/new.md'] },
    );
    const { status } = folder.check('--shrink');
    const left = folder.readNotYet();
    folder.remove();
    expect(left).toEqual({ anew: ['docs/old.md'] });
    expect(status).toBe(1);
  });

  it('has no entry for the README and the glossary', () => {
    const list = readFileSync('tools/prose/not-yet.json', 'utf8');
    expect(list).not.toMatch(/"README\.md"|"docs\/glossary\.md"/);
  });
});
