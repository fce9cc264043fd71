import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findBlocks, listPages, readPage, ROOT, writeProgram, writeSettings } from './snippets.js';

const FOLDER = join(ROOT, '.build/snippets');
const RELATIVE_LINK = /\]\((?!https?:|#)([^)#\s]+)/g;
const HEADING_LINK = /\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g;

const pages = listPages();

describe('README and docs', () => {
  let complaints = '';

  beforeAll(() => {
    rmSync(FOLDER, { recursive: true, force: true });
    writeSettings(FOLDER, { noUnusedLocals: false, noUnusedParameters: false });
    for (const page of pages) writeProgram(join(FOLDER, page.replace(/\.md$/, '')), page);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', FOLDER],
      { cwd: FOLDER, encoding: 'utf8' },
    );
    complaints = stdout + stderr;
  }, 120_000);

  it('show TypeScript that compiles under the strictest settings', () => {
    expect(complaints).toBe('');
  });

  it('show the configuration of nginx that the sample of several processes has', () => {
    const shown = findBlocks('docs/scaling.md').find(({ language }) => language === 'nginx');
    expect(shown?.text).toBe(readPage('sample/06-cluster/nginx.conf'));
  });

  it.each(pages)('%s shows JSON that parses', (page) => {
    const blocks = findBlocks(page).filter(({ language }) => language === 'json');
    for (const { text } of blocks) expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each(pages)('%s links to files that exist', (page) => {
    const targets = [...readPage(page).matchAll(RELATIVE_LINK)].map(([, target = '']) => target);
    const missing = targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)));
    expect(missing).toEqual([]);
  });

  it.each(pages)('%s links to headings and anchors that exist', (page) => {
    const targets = [...readPage(page).matchAll(HEADING_LINK)].map(([, file = '', heading = '']) => ({
      target: file === '' ? page : join(dirname(page), file),
      heading,
    }));
    const missing = targets.filter(({ target, heading }) => !listAnchors(target).includes(heading));
    expect(missing).toEqual([]);
  });
});

/** Lists the headings of a page as links name them, and what has an id. */
function listAnchors(page: string): readonly string[] {
  const prose = readPage(page).replace(/^```.*?^```$/gms, '');
  const ids = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...ids];
}
