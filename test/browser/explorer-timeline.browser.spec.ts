import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 120_000;

let desk: RunningApp;
let visit: ExplorerVisit;

const openExplorer = useExplorer();

beforeAll(async () => {
  desk = await bootServer({ providers: [ExplorerDesk] });
}, PATIENCE_MS);
afterAll(() => desk?.close());
beforeEach(async () => {
  visit = await openExplorer(`${desk.url}#tools/greet`);
  await visit.connected();
}, PATIENCE_MS);
afterEach(async () => {
  visit.assertPeace();
  await visit.close();
});

const callGreet = async () => {
  await visit.page.getByLabel('name (required)').fill('Ada');
  await visit.press('Call greet');
  await visit.expectText('Hello, {"name":"Ada"');
};

const rows = () => visit.page.getByRole('log').getByRole('listitem');

describe.each(['2026-07-28', '2025-11-25'])('The timeline of the explorer, in %s', (revision) => {
  beforeEach(() => visit.speak(revision), PATIENCE_MS);

  it(
    'has each request, response and notification once, the last first (WAY-02)',
    async () => {
      await callGreet();
      await visit.choose('Messages');
      const texts = await rows().locator('summary').allInnerTexts();
      const [answer = '', request = ''] = texts.filter((text) => text.includes('tools/call'));
      expect(answer).toMatch(/←[^]*tools\/call[^]*result[^]*(?:\d+ ms|[\d.]+ s)\s[^]*\d+ B/);
      expect(request).toMatch(/→[^]*tools\/call[^]*request[^]*\d+ B/);
      expect(request).not.toMatch(/\d ms/);
      expect(texts.filter((text) => text.includes('tools/call'))).toHaveLength(2);
      const lists = texts.filter((text) => /tools\/list\b/.test(text) && text.includes('result'));
      // Once for the first connection, and once for that of the revision.
      expect(lists).toHaveLength(2);
      expect(texts.join()).toContain(
        revision === '2026-07-28' ? 'server/discover' : 'notifications/initialized',
      );
    },
    PATIENCE_MS,
  );
});

describe('The timeline of the explorer', () => {
  it(
    'opens a message to its JSON, which folds by the keyboard (WAY-02)',
    async () => {
      await callGreet();
      await visit.choose('Messages');
      const row = rows().filter({ hasText: 'tools/call' }).last();
      await row.locator('summary').first().focus();
      await visit.page.keyboard.press('Enter');
      await row.getByText('"name": "Ada"').waitFor();
      const params = row.locator('.json summary', { hasText: '"arguments"' });
      await params.focus();
      await visit.page.keyboard.press('Enter');
      await row.getByText('"name": "Ada"').waitFor({ state: 'detached' });
      expect(await params.innerText()).toMatch(/2 …/);
      const layout = "getComputedStyle(document.querySelector('.timeline .json summary')).display";
      expect(await visit.page.evaluate(layout)).not.toBe('grid');
      await visit.page.keyboard.press('Enter');
      await row.getByText('"name": "Ada"').waitFor();
    },
    PATIENCE_MS,
  );

  it(
    'is filtered, and cleared (WAY-02)',
    async () => {
      await callGreet();
      await visit.choose('Messages');
      await visit.page.getByLabel('Filter messages').fill('request ada');
      await rows().filter({ hasText: 'tools/list' }).first().waitFor({ state: 'detached' });
      expect(await rows().count()).toBe(1);
      await visit.page.getByLabel('Filter messages').fill('');
      await rows().filter({ hasText: 'tools/list' }).first().waitFor();
      await visit.press('Clear');
      await visit.expectText('There are no messages.');
      expect(await rows().count()).toBe(0);
    },
    PATIENCE_MS,
  );
});

describe('A result in the explorer', () => {
  it(
    'has its raw messages one click away (WAY-02)',
    async () => {
      await callGreet();
      await visit.page.getByText('Raw messages').click();
      await visit.page.getByRole('group', { name: 'Request' }).getByText('"method": "tools/call"').waitFor();
      await visit.page.getByRole('group', { name: 'Response' }).getByText('"jsonrpc": "2.0"').waitFor();
      const colors = await visit.page.evaluate<string[]>(
        "[...new Set(['.key', '.string', '.number'].map((kind) => getComputedStyle(document.querySelector('.json ' + kind)).color))]",
      );
      expect(colors).toHaveLength(3);
    },
    PATIENCE_MS,
  );

  it(
    'asks what the server asks beside the call, and keeps nobody from the rest of the page (WAY-02)',
    async () => {
      await visit.choose('Tools', 'book');
      await visit.press('Call book');
      const question = visit.page.locator('.outcome').getByRole('dialog', { name: 'The server asks' });
      await question.waitFor();
      expect(await question.innerText()).not.toContain('arguments');
      expect(await visit.page.locator('body').innerText()).not.toContain('Fulfilling');
      expect(await visit.page.evaluate('document.activeElement.closest("[role=dialog]") !== null')).toBe(
        true,
      );
      await visit.page.getByLabel('Filter tools').fill('book');
      await question.getByLabel('guests (required)').fill('3');
      await question.getByLabel('guests (required)').press('Control+Enter');
      await visit.expectText('a table for 3');
      await question.waitFor({ state: 'detached' });
    },
    PATIENCE_MS,
  );
});
