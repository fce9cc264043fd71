import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchChromium } from './chromium.js';
import { travel, type Journey } from './journey.js';
import { OwnGuest } from './own.guest.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
}, 60_000);

afterAll(() => browser?.close());

describe.each(['auto', 'legacy'] as const)(
  'A user of Chromium and our login at the sample 03-protected: %s',
  (mode) => {
    let journey: Journey;
    const guests: OwnGuest[] = [];

    beforeAll(async () => {
      const createGuest = (url: string) => {
        guests.push(new OwnGuest(url, mode));
        return guests[0]!;
      };
      journey = await travel({ browser, createGuest });
    }, 120_000);

    it('sees the name that the client registered with, and what it asks for (CLI-06) (CLI-11)', () => {
      const [login] = journey.pages;
      expect(login?.heading).toContain('Own guest');
      expect(login?.asksName).toBe(true);
      expect(login?.scopes).toEqual(['desk:read', 'offline_access']);
    });

    it('has the client read then (CLI-09) (CLI-18)', () => {
      expect(journey.read.structuredContent).toMatchObject({ tickets: [{ id: 'T-1002' }, { id: 'T-1003' }] });
    });

    it('is asked for both when a call needs more, and once (CLI-11) (CLI-12)', () => {
      const [, stepUp, ...more] = journey.pages;
      expect(stepUp?.asksName).toBe(false);
      expect(stepUp?.scopes.toSorted()).toEqual(['desk:read', 'desk:write', 'offline_access']);
      expect(stepUp?.held.toSorted()).toEqual(['desk:read', 'offline_access']);
      expect(more).toEqual([]);
      expect(journey.log.of(403)).toHaveLength(1);
    });

    it('has the client write then (CLI-11) (CLI-18)', () => {
      const ticket = { id: 'T-1003', status: 'closed', closedBy: 'ada' };
      expect(journey.written).toMatchObject({ status: 'fulfilled', value: { structuredContent: ticket } });
    });

    it('has sent no call without a token but the first (CLI-13)', () => {
      const calls = journey.log.requests.filter(({ path }) => path === '/mcp');
      expect(calls.filter(({ hasToken }) => !hasToken)).toEqual(calls.slice(0, 1));
    });
  },
);

describe('A user of Chromium who denies our client the step up', () => {
  it('has the call fail, and those for less go on (CLI-11)', async () => {
    const createGuest = (url: string) => new OwnGuest(url, 'auto');
    const { written, readAgain } = await travel({ browser, createGuest, button: 'Deny' });
    expect(written).toMatchObject({ status: 'rejected' });
    const { reason } = written as PromiseRejectedResult;
    const { message, cause } = reason as Error;
    expect(`${message} ${String(cause)}`).toContain('The user said no');
    expect(readAgain.structuredContent).toMatchObject({ id: 'T-1003', status: 'open' });
  }, 120_000);
});
