import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 120_000;
const TOKEN = 'a-fixed-token-of-the-desk';

let desk: RunningApp;
let visit: ExplorerVisit;

const openExplorer = useExplorer();

beforeAll(async () => {
  desk = await bootServer({ options: { auth: { bearer: { token: TOKEN } } }, providers: [ExplorerDesk] });
  visit = await openExplorer(`${desk.url}#doctor`);
}, PATIENCE_MS);
afterAll(async () => {
  await visit?.close();
  await desk?.close();
});

const examine = async () => {
  await visit.press('Examine the server');
  await visit.page.getByRole('heading', { name: 'The server', exact: true }).waitFor();
};

const summary = () => visit.page.getByRole('status', { name: 'Summary' });

/** The findings of a status: the sign before it, and its color. */
const readSign = (status: string) =>
  visit.page.evaluate<{ sign: string; color: string }>(`(() => {
    const part = document.querySelector('.findings > .${status} > .sign');
    return { sign: getComputedStyle(part, '::before').content, color: getComputedStyle(part).color };
  })()`);

describe('The doctor of the explorer, at a server with a fixed token', () => {
  it(
    'shows what was not examined as skipped, and not as ok (WAY-02)',
    async () => {
      await visit.expectText('Token required');
      await examine();
      expect(await summary().innerText()).toMatch(/\b1 skipped\b/);
      const token = visit.page.getByRole('listitem').filter({ hasText: 'No token was given' });
      expect(await token.innerText()).toMatch(/^skipped token /);
      const [skipped, ok] = [await readSign('skipped'), await readSign('ok')];
      expect(skipped.sign).not.toBe(ok.sign);
      expect(skipped.color).not.toBe(ok.color);
    },
    PATIENCE_MS,
  );

  it(
    'counts warnings at the top, and shows them by sign and color (WAY-02)',
    async () => {
      await visit.page.getByLabel('The token').fill(TOKEN);
      await visit.press('Use the token');
      await visit.connected();
      await examine();
      await visit.page.getByRole('heading', { name: /^The catalog/ }).waitFor();
      const warnings = await visit.page.locator('.findings > .warning').count();
      expect(warnings).toBeGreaterThan(0);
      expect(await summary().innerText()).toMatch(/\b\d+ warnings?\b[^]*\b\d+ ok\b/);
      expect(await summary().innerText()).not.toMatch(/skipped|well/);
      const [warning, ok] = [await readSign('warning'), await readSign('ok')];
      expect(warning.sign).not.toBe(ok.sign);
      expect(warning.color).not.toBe(ok.color);
    },
    PATIENCE_MS,
  );

  it(
    'has the caption of the sizes on one line (WAY-02)',
    async () => {
      const caption = visit.page.getByRole('heading', {
        name: 'Estimated tokens of tool definitions',
      });
      const box = await caption.boundingBox();
      expect(box?.height).toBeLessThan(40);
    },
    PATIENCE_MS,
  );
});
