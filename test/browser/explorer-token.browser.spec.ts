import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 60_000;
const TOKEN = 'a-fixed-token-of-the-desk';

const openExplorer = useExplorer();

describe('A user of the explorer at a server with a fixed token', () => {
  let desk: RunningApp;
  let visit: ExplorerVisit;

  beforeAll(async () => {
    desk = await bootServer({ options: { auth: { bearer: { token: TOKEN } } }, providers: [ExplorerDesk] });
    visit = await openExplorer(desk.url);
  }, PATIENCE_MS);

  afterAll(async () => {
    await visit?.close();
    await desk?.close();
  });

  it(
    'is asked for a token, and for no login (WAY-02)',
    async () => {
      await visit.expectText('Token required');
      await visit.expectText('The server requires a token');
      expect(await visit.page.getByRole('button', { name: 'Log in' }).count()).toBe(0);
      expect(await visit.page.locator('body').innerText()).not.toContain('login');
    },
    PATIENCE_MS,
  );

  it(
    'learns that only a fixed token needs no login (WAY-02)',
    async () => {
      await visit.choose('Doctor');
      await visit.press('Examine the server');
      await visit.expectText('No login is offered, as is usual with fixed tokens');
      await visit.expectText('Paste the token above');
      expect(await visit.page.getByRole('listitem').filter({ hasText: 'metadata' }).allInnerTexts()).toEqual([
        expect.stringMatching(/^ok metadata /),
      ]);
    },
    PATIENCE_MS,
  );

  it(
    'reads where each client gets the token, which the page does not tell (WAY-02)',
    async () => {
      await visit.page.getByLabel('The token').fill(TOKEN);
      await visit.press('Use the token');
      await visit.connected();
      await visit.choose('Add to a client');
      await visit.expectText('The server requires a fixed token, and has no login.');
      const main = visit.page.getByRole('main');
      expect(await main.innerText()).toContain('--token-env DESK_TOKEN');
      expect(await main.innerHTML()).not.toContain(TOKEN);
      const link = await main.getByRole('link', { name: 'Add to VS Code' }).getAttribute('href');
      expect(decodeURIComponent(link ?? '')).toContain('Bearer ${input:desk-token}');
      visit.assertPeace();
    },
    PATIENCE_MS,
  );
});
