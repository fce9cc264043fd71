import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { findFreePort } from '../conformance/find-free-port.js';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { BUILD_MS, buildPage } from '../support/explorer/build-page.js';
import { launchChromium } from './chromium.js';
import { ExplorerVisit } from './explorer-visit.js';

const PATIENCE_MS = 60_000;
const TOKEN = 'a-fixed-token-of-the-desk';

@Injectable()
class CarelessDesk {
  @Tool({ name: 'close_ticket', inputSchema: z.object({ id: z.string() }) })
  close(): string {
    return 'closed';
  }
}

let browser: Browser;
let desk: RunningApp;
let visit: ExplorerVisit;

beforeAll(async () => {
  await buildPage();
  browser = await launchChromium();
}, BUILD_MS);
afterAll(() => browser?.close());

afterEach(async () => {
  visit.assertPeace();
  await visit.close();
  await desk.close();
}, PATIENCE_MS);

const examine = async () => {
  await visit.choose('Doctor');
  await visit.press('Examine the server');
  await visit.page.getByRole('heading', { name: 'The connection' }).waitFor();
};

describe('The doctor of the explorer', () => {
  it(
    'says what models and hosts make of the catalogue, with what to do and where it is explained (WAY-02)',
    async () => {
      desk = await bootServer({ providers: [CarelessDesk] });
      visit = await ExplorerVisit.open(browser, desk.url);
      await visit.connected();
      const before = visit.sent.length;
      await examine();
      const { page } = visit;
      await visit.expectText('tool "close_ticket" has no description');
      await visit.expectText('Say what it does, when to use it and what comes back');
      const rule = page.getByRole('link', { name: 'tool-description' });
      expect(await rule.getAttribute('href')).toMatch(/^https:.*\/docs\/lint\.md#tool-description$/);
      expect(await page.getByRole('row', { name: 'close_ticket' }).innerText()).toMatch(/\d+$/);
      await visit.expectText(`npx nestjs-mcp doctor ${desk.url}`);
      expect(visit.sent.slice(before)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it.each([
    ['is about the endpoint', '', 'well metadata-resource It is about'],
    ['is about something else', '/other', 'fault metadata-resource It is about'],
  ])(
    'says whether the metadata that clients go by %s (WAY-02)',
    async (_, path, found) => {
      const port = await findFreePort();
      const auth = {
        resourceUri: `http://127.0.0.1:${port}${path || '/mcp'}`,
        authorizationServers: ['https://login.example.com'],
        bearer: { token: TOKEN },
      };
      desk = await bootServer({ options: { auth }, port });
      visit = await ExplorerVisit.open(browser, desk.url);
      await visit.expectText('A login is needed');
      await examine();
      await visit.expectText('Log in above');
      await visit.page.getByLabel('Or a token that you have').fill(TOKEN);
      await visit.press('Use the token');
      await visit.connected();
      await examine();
      await visit.expectText('The page speaks 2026-07-28 with the server');
      const text = (await visit.page.getByRole('main').innerText()).replace(/\s+/g, ' ');
      expect(text).toContain(found);
      expect(text).toContain('well tls What is sent stays on this machine');
    },
    PATIENCE_MS,
  );
});
