import { afterEach, describe, expect, it } from '@jest/globals';
import type { Finding } from '../../../lib/core/doctor/finding.js';
import { examineEndpoint } from '../../support/examine-endpoint.js';
import { FixtureEndpoint, type Traits } from '../../support/fixture-endpoint.js';

const TOKEN = 'opaque-token-of-the-fixture';
const ISSUER_METADATA = '/.well-known/oauth-authorization-server';

let endpoint: FixtureEndpoint;

afterEach(() => endpoint.stop());

async function findClock(traits: Traits): Promise<Finding | undefined> {
  endpoint = await FixtureEndpoint.start(traits);
  const findings = await examineEndpoint(endpoint.url);
  return findings.find(({ id }) => id === 'clock');
}

/** Has answers at a path say another time, or the same time as what was kept for so long. */
function shift(path: string, seconds: number, headers: { readonly [name: string]: string } = {}): Traits {
  return {
    takeOver: (request, response) => {
      if (request.path !== path) return false;
      response.setHeader('date', new Date(Date.now() + seconds * 1000).toUTCString());
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      return false;
    },
  };
}

describe('The doctor', () => {
  it('finds clocks that agree (KIT-03)', async () => {
    expect(await findClock({ token: TOKEN })).toMatchObject({
      status: 'ok',
      found: 'Agrees with the clocks on this machine and at the issuers',
    });
  });

  it('speaks of no issuer to a server that has none (KIT-03)', async () => {
    expect(await findClock({})).toMatchObject({
      status: 'ok',
      found: 'Agrees with the clock on this machine',
    });
  });

  it.each([
    ['ahead of', 600],
    ['behind', -600],
  ])('finds a clock that is %s the clock of the issuer (KIT-03)', async (how, seconds) => {
    const found = await findClock({ token: TOKEN, ...shift('/mcp', seconds) });
    expect(found).toMatchObject({ status: 'error' });
    expect(found?.found).toMatch(
      new RegExp(`^The server clock is \\d{3} seconds ${how} the clock at "${endpoint.origin}"$`),
    );
    expect(found?.fix).toContain('NTP');
  });

  it('finds an issuer whose clock is wrong (KIT-03)', async () => {
    const found = await findClock({ token: TOKEN, ...shift(ISSUER_METADATA, 600) });
    expect(found).toMatchObject({ status: 'error' });
    expect(found?.found).toContain('behind the clock at');
  });

  it('counts the time that metadata lay in a cache (KIT-03)', async () => {
    const found = await findClock({ token: TOKEN, ...shift(ISSUER_METADATA, -600, { age: '600' }) });
    expect(found).toMatchObject({ status: 'ok' });
  });

  it('warns if the clock differs from that of this machine alone (KIT-03)', async () => {
    const found = await findClock(shift('/mcp', 600));
    expect(found).toMatchObject({ status: 'warning' });
    expect(found?.found).toMatch(/ahead of the clock on this machine$/);
  });

  it('does not judge a clock that is not shown (KIT-03)', async () => {
    const takeOver: Traits['takeOver'] = (_, response) => {
      response.sendDate = false;
      return false;
    };
    expect(await findClock({ takeOver })).toBeUndefined();
  });
});
