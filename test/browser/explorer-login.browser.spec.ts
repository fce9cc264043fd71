import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { start, type Started } from '../../sample/03-protected/start.js';
import { answerConsent } from './chromium.js';
import { EndpointLog } from './endpoint-log.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 120_000;

const openExplorer = useExplorer();

describe('A user of the explorer at the sample 03-protected, in Chromium', () => {
  let desk: Started;
  let log: EndpointLog;
  let visit: ExplorerVisit;

  beforeAll(async () => {
    desk = await start({ desk: 0, authorizationServer: 0 });
    log = new EndpointLog(desk.app.getHttpServer() as Server);
    visit = await openExplorer(desk.url.href);
  }, PATIENCE_MS);

  afterAll(async () => {
    await visit?.close();
    await desk?.stop();
  });

  it(
    'is asked to log in, and sent nowhere before a click (WAY-02, AUTH-14)',
    async () => {
      await visit.expectText('The server requires a login');
      await visit.expectText('desk:read');
      expect(new URL(visit.page.url()).origin).toBe(desk.url.origin);
      expect(log.requests.every(({ hasToken }) => !hasToken)).toBe(true);
    },
    PATIENCE_MS,
  );

  it(
    'logs in, and comes back without a code in the address (WAY-02)',
    async () => {
      await visit.press('Log in');
      await visit.page.waitForURL((url) => url.origin === desk.issuer);
      await answerConsent(visit.page, { name: 'Ada' });
      await visit.connected();
      expect(visit.page.url()).not.toMatch(/code|state|token/);
      await visit.choose('Tools', 'list_tickets');
      await visit.press('Call list_tickets');
      await visit.expectText('T-1002');
    },
    PATIENCE_MS,
  );

  it(
    'steps up for a call that needs more, and finds the arguments again (WAY-02, STEP-02)',
    async () => {
      const { page } = visit;
      await visit.choose('Tools', 'close_ticket');
      await page.getByLabel('id (required)').fill('T-1003');
      await page.getByLabel('resolution (required)').fill('Time zone set right.');
      await visit.press('Call close_ticket');
      await visit.expectText('The server requires more scopes than your token has');
      expect(log.of(403)).toHaveLength(1);
      await visit.press('Request them');
      await page.waitForURL((url) => url.origin === desk.issuer);
      await answerConsent(page, {});
      await visit.connected();
      expect(await page.getByLabel('id (required)').inputValue()).toBe('T-1003');
      await visit.press('Call close_ticket');
      await visit.expectText('"closedBy": "ada"');
    },
    PATIENCE_MS,
  );

  it(
    'keeps the token in the tab alone, and forgets it (WAY-02)',
    async () => {
      const { page } = visit;
      expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
      const other = await page.context().newPage();
      await other.goto(desk.url.href);
      await other.getByText('The server requires a login').waitFor();
      await other.close();
      await visit.press('Forget the token');
      await visit.expectText('The server requires a login');
      expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('access_token');
    },
    PATIENCE_MS,
  );

  it(
    'takes up no login that it has not begun (WAY-02)',
    async () => {
      const before = log.requests.length;
      await visit.page.goto(`${desk.url.href}?code=planted&state=planted`);
      await visit.expectText('The server requires a login');
      expect(new URL(visit.page.url()).search).toBe('');
      expect(log.requests.slice(before).every(({ hasToken }) => !hasToken)).toBe(true);
      visit.assertPeace();
    },
    PATIENCE_MS,
  );
});
