import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchChromium } from './chromium.js';
import { travel, type Journey } from './journey.js';
import { McpRemoteGuest } from './mcp-remote.guest.js';
import { OfficialGuest } from './official.guest.js';

const GUESTS = [
  {
    guest: '@modelcontextprotocol/client without a session',
    create: (url: string) => OfficialGuest.create(url, 'auto'),
  },
  {
    guest: '@modelcontextprotocol/client in a session',
    create: (url: string) => OfficialGuest.create(url, 'legacy'),
  },
  { guest: 'mcp-remote in a session', create: (url: string) => new McpRemoteGuest(url, 'legacy') },
  { guest: 'mcp-remote without a session', create: (url: string) => new McpRemoteGuest(url, 'auto') },
];

const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
}, 60_000);

afterAll(() => browser?.close());

describe.each(GUESTS)('a user of Chromium and $guest at the sample 03-protected', ({ create }) => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await travel({ browser, createGuest: create });
  }, 120_000);

  it('is told by a 401 where the metadata is, and which scope to ask for (AUTH-14)', () => {
    const [first] = journey.log.of(401);
    expect(first?.hasToken).toBe(false);
    expect(first?.challenge).toBe(
      `Bearer resource_metadata="${journey.origin}${METADATA_PATH}", scope="desk:read"`,
    );
  });

  it('gets the metadata without a token (PRM-01)', () => {
    const asked = journey.log.requests.filter(({ path }) => path === METADATA_PATH);
    expect(asked[0]).toMatchObject({ method: 'GET', status: 200, hasToken: false });
  });

  it('logs in, and is asked for reading alone (AUTH-14)', () => {
    const [login] = journey.pages;
    expect(login?.asksName).toBe(true);
    expect(login?.scopes).toEqual(['desk:read', 'offline_access']);
    expect(login?.held).toEqual([]);
  });

  it('reads with the token of that consent (AUTH-08)', () => {
    expect(journey.read.isError).toBeFalsy();
    expect(journey.read.structuredContent).toMatchObject({ tickets: [{ id: 'T-1002' }, { id: 'T-1003' }] });
  });

  it('is stepped up by one 403 that names the scope and the metadata (STEP-01, STEP-02)', () => {
    const refusals = journey.log.of(403);
    expect(refusals).toHaveLength(1);
    expect(refusals[0]?.challenge).toMatch(
      /^Bearer error="insufficient_scope", scope="desk:read desk:write", /,
    );
    expect(refusals[0]?.challenge).toContain(`resource_metadata="${journey.origin}${METADATA_PATH}"`);
  });

  it('is asked for writing as well, without another login (STEP-02)', () => {
    const [, stepUp] = journey.pages;
    expect(stepUp?.asksName).toBe(false);
    expect(stepUp?.scopes.toSorted()).toEqual(['desk:read', 'desk:write', 'offline_access']);
    expect(stepUp?.held.toSorted()).toEqual(['desk:read', 'offline_access']);
  });

  it('writes then, in the name of who logged in (STEP-02, AUTH-10)', () => {
    const ticket = { id: 'T-1003', status: 'closed', closedBy: 'ada' };
    expect(journey.written).toMatchObject({ status: 'fulfilled', value: { structuredContent: ticket } });
    expect(journey.readAgain.structuredContent).toMatchObject(ticket);
  });
});

describe.each(GUESTS)('a user of Chromium and $guest who denies the step up', ({ create }) => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await travel({ browser, createGuest: create, button: 'Deny' });
  }, 120_000);

  it('is told so, and nothing is written (STEP-02)', () => {
    expect(journey.written).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('The user said no') },
    });
    expect(journey.readAgain.structuredContent).toMatchObject({ id: 'T-1003', status: 'open' });
  });
});
