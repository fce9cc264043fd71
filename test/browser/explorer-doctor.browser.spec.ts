import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Skill, Tool } from 'nestjs-mcp';
import { z } from 'zod';
import { examine } from '../../cli/doctor/doctor.command.js';
import { PAGE_CHECKS } from '../../explorer/examination/page-checks.js';
import { findFreePort } from '../conformance/find-free-port.js';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer, type ServerParts } from '../support/applications/server.js';
import { FixtureEndpoint } from '../support/fixture-endpoint.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 60_000;
const TOKEN = 'a-fixed-token-of-the-desk';

@Injectable()
class CarelessDesk {
  @Tool({ name: 'close_ticket', inputSchema: z.object({ id: z.string() }) })
  close(): string {
    return 'closed';
  }

  @Skill({ description: 'Close tickets. Use when somebody says that it is done.' })
  closeTickets(): string {
    return 'Call the tool.';
  }
}

let desk: RunningApp;
let issuer: FixtureEndpoint | undefined;
let visit: ExplorerVisit;

const openExplorer = useExplorer();

afterEach(async () => {
  visit.assertPeace();
  await visit.close();
  await desk.close();
  await issuer?.stop();
  issuer = undefined;
}, PATIENCE_MS);

const open = async (parts: ServerParts) => {
  desk = await bootServer(parts);
  visit = await openExplorer(desk.url);
};

/** Opens a server that asks for a token, which an authorization server of this machine gives. */
const openProtected = async (path = '/mcp', parts: ServerParts = {}) => {
  issuer = await FixtureEndpoint.start({ token: 'anything' });
  const port = await findFreePort();
  const auth = {
    resourceUri: `http://127.0.0.1:${port}${path}`,
    authorizationServers: [issuer.origin],
    bearer: { token: TOKEN },
  };
  await open({ ...parts, options: { ...parts.options, auth }, port });
  await visit.expectText('Login required');
};

const useToken = async () => {
  await visit.page.getByLabel('Or paste a token').fill(TOKEN);
  await visit.press('Use the token');
  await visit.connected();
};

const press = async () => {
  // What was found before is gone with the area.
  await visit.choose('Add to a client');
  await visit.choose('Doctor');
  await visit.press('Examine the server');
  await visit.page.getByRole('heading', { name: 'The server', exact: true }).waitFor();
};

/** Gives the findings of a part of the page: their status and what was found, by the names of the checks. */
const readFindings = async (part: string): Promise<Record<string, string>> => {
  const lines = await visit.page
    .getByRole('region', { name: part, exact: true })
    .getByRole('listitem')
    .allInnerTexts();
  return Object.fromEntries(
    lines.map((text) => {
      const [, status = '', id = '', found = ''] = /^(\w+) (\S+) (.*)$/m.exec(text) ?? [];
      return [id, `${status} ${found}`];
    }),
  );
};

/** A page does not get to see the clocks of issuers. */
const CLOCK = 'ok Agrees with the clock on this machine';

/** What the command line finds by the checks that the page can make. */
const examineHere = async (token?: string): Promise<Record<string, string>> => {
  const { origin } = new URL(desk.url);
  const url = new URL(desk.url);
  const { findings } = await examine({ url, token, json: false, timeoutMs: 10_000, headers: {}, origin });
  const names = new Set(PAGE_CHECKS.map(({ id }) => id));
  const known = findings
    .filter(({ id }) => names.has(id))
    .map(({ id, status, found }) => [id, `${status} ${found}`] as const);
  return { ...Object.fromEntries(known), clock: CLOCK };
};

describe('The doctor of the explorer', () => {
  it(
    'says what models and hosts make of the catalog, with what to do and where it is explained (WAY-02)',
    async () => {
      await open({ providers: [CarelessDesk] });
      await visit.connected();
      await press();
      const { page } = visit;
      await visit.expectText('tool "close_ticket" has no description');
      await visit.expectText('Describe what it does, when to use it and what it returns');
      const rule = page.getByRole('link', { name: 'tool-description' });
      expect(await rule.getAttribute('href')).toMatch(/^https:.*\/docs\/lint\.md#tool-description$/);
      expect(await page.getByRole('row', { name: 'close_ticket' }).innerText()).toMatch(/\d+$/);
      await visit.expectText(`npx nestjs-mcp-cli doctor ${desk.url}`);
    },
    PATIENCE_MS,
  );

  it(
    'sends nothing before a click, calls no tool, and ends the sessions that it opens (WAY-02)',
    async () => {
      await open({ providers: [CarelessDesk] });
      await visit.connected();
      await visit.choose('Doctor');
      const before = visit.sent.length;
      await visit.press('Examine the server');
      await visit.page.getByRole('heading', { name: 'The server', exact: true }).waitFor();
      const sent = new Set(visit.sent.slice(before));
      expect(visit.sent.slice(0, before)).not.toContain('initialize');
      expect([...sent].toSorted()).toEqual([
        'initialize',
        'notifications/initialized',
        'ping',
        'server/discover',
        'skills/list',
        'tools/list',
      ]);
      expect(await readFindings('The server')).toMatchObject({ 'session-end': 'ok DELETE ends the session' });
    },
    PATIENCE_MS,
  );

  it.each<[string, ServerParts]>([
    ['a server with an app', { providers: [ExplorerDesk] }],
    ['a server with skills', { providers: [CarelessDesk] }],
    ['a server without sessions', { providers: [CarelessDesk], options: { stateless: true } }],
    [
      'a server with a card',
      { providers: [CarelessDesk], options: { serverCard: { name: 'com.example/desk' } } },
    ],
  ])(
    'finds the same as the command line: %s (WAY-02)',
    async (_, parts) => {
      await open(parts);
      await visit.connected();
      await press();
      const found = await readFindings('The server');
      expect(found).toEqual(await examineHere());
      expect(Object.keys(found).length).toBeGreaterThan(8);
    },
    PATIENCE_MS,
  );

  it(
    'finds the same as the command line: a server that asks for a token, without one and with one (WAY-02)',
    async () => {
      await openProtected('/mcp', { providers: [CarelessDesk] });
      await press();
      expect(await readFindings('The server')).toEqual(await examineHere());
      expect(await readFindings('The connection of this page')).toMatchObject({
        connection: 'warning The server requires a login.',
      });
      await visit.expectText('Log in above, or paste a token');
      await useToken();
      await press();
      const found = await readFindings('The server');
      expect(found).toEqual(await examineHere(TOKEN));
      expect(found).toMatchObject({
        token: 'ok The token is accepted',
        'server-pkce': expect.stringMatching(/^ok /),
      });
      expect(await visit.page.getByRole('main').innerText()).not.toContain(TOKEN);
    },
    PATIENCE_MS,
  );

  it(
    'finds the same as the command line: a server that is about something else (WAY-02)',
    async () => {
      await openProtected('/other');
      await press();
      const found = await readFindings('The server');
      expect(found['metadata-resource']).toMatch(/^error "resource" is /);
      expect(found).toEqual(await examineHere());
    },
    PATIENCE_MS,
  );

  it(
    'says how the page speaks with the server (WAY-02)',
    async () => {
      await open({ providers: [CarelessDesk] });
      await visit.connected();
      await press();
      expect(await readFindings('The connection of this page')).toEqual({
        revision: 'ok The page uses 2026-07-28 with the server',
        lists: 'ok All declared lists can be fetched',
      });
    },
    PATIENCE_MS,
  );
});
