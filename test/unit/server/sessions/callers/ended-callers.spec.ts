import { describe, expect, it } from '@jest/globals';
import { completeClaims } from '../../../../../lib/core/oauth/access-token.js';
import { buildAuthentication } from '../../../../../lib/server/auth/validators/build-authentication.js';
import { LocalBus } from '../../../../../lib/server/cluster/local-bus.js';
import { isMeant } from '../../../../../lib/server/sessions/callers/caller-filter.js';
import { EndedCallers } from '../../../../../lib/server/sessions/callers/ended-callers.js';
import type { CallerSelector } from '../../../../../lib/server/sessions/callers/mcp-sessions.interface.js';
import { parseCallerSelector } from '../../../../../lib/server/sessions/callers/parse-caller-selector.js';
import { buildSettings } from '../../../support/settings.js';

const ISSUER = 'https://login.example.com';
const { auth } = buildSettings({
  auth: { resourceUri: 'https://desk.example.com/mcp', authorizationServers: [ISSUER], jwt: {} },
});

const ADA = buildAuthentication({
  method: 'jwt',
  claims: completeClaims({ iss: ISSUER, sub: 'ada', clientId: 'app' }),
  token: 'one',
});
const OTHER_ADA = buildAuthentication({
  method: 'jwt',
  claims: completeClaims({ iss: 'https://other.example', sub: 'ada' }),
  token: 'two',
});
const BOB = buildAuthentication({
  method: 'jwt',
  claims: completeClaims({ iss: ISSUER, sub: 'bob', clientId: 'app' }),
  token: 'three',
});
const KEY = buildAuthentication({ method: 'bearer', claims: completeClaims({}), token: 'an-api-key' });

const CALLERS = { ADA, OTHER_ADA, BOB, KEY };

/** Who is meant by each selector, of all of these. */
const MEANT: readonly (readonly [selector: CallerSelector, who: readonly (keyof typeof CALLERS)[]])[] = [
  [{ subject: 'ada' }, ['ADA', 'OTHER_ADA']],
  [{ subject: 'ada', issuer: ISSUER }, ['ADA']],
  [{ subject: 'ada', clientId: 'app' }, ['ADA']],
  [{ subject: 'ada', clientId: 'another' }, []],
  [{ clientId: 'app' }, ['ADA', 'BOB']],
  [{ clientId: 'app', issuer: 'https://other.example' }, []],
  [{ clientId: 'app', issuer: ISSUER }, ['ADA', 'BOB']],
  [{ token: 'an-api-key' }, ['KEY']],
  [{ token: 'another-key' }, []],
  [{ identity: BOB.identity }, ['BOB']],
];

describe.each(MEANT)('A caller that is named by %j', (selector, who) => {
  const terms = parseCallerSelector(selector, auth);

  it('is known among all who call (RELAY-11)', () => {
    const meant = Object.entries(CALLERS).filter(([, caller]) => isMeant(terms, caller));
    expect(meant.map(([name]) => name)).toEqual(who);
  });

  it('is refused what it opened before it was logged out, and nothing that it opens afterwards (RELAY-06)', () => {
    const ended = new EndedCallers(new LocalBus(), buildSettings());
    ended.onModuleInit();
    ended.publish({ id: '1', terms, at: Date.now(), withTasks: false, member: 'one' });
    const refused = (opened: number) =>
      Object.entries(CALLERS).filter(([, caller]) => ended.isKnownEnded(caller, opened));
    expect(refused(Date.now() - 1000).map(([name]) => name)).toEqual(who);
    expect(refused(Date.now() + 1000)).toEqual([]);
  });
});

describe('A caller of whom nobody knows anything', () => {
  it('is meant by no selector (RELAY-11)', () => {
    for (const [selector] of MEANT) expect(isMeant(parseCallerSelector(selector, auth), {})).toBe(false);
  });
});
