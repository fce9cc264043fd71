import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IncomingNotifications } from '../../../../lib/server/dispatch/incoming-notifications.js';
import { completeClaims } from '../../../../lib/core/oauth/access-token.js';
import type { ClientCapabilities } from '../../../../lib/core/protocol/capabilities.js';
import type { Params } from '../../../../lib/core/protocol/json-rpc.js';
import { InFlightRequests } from '../../../../lib/server/sessions/in-flight-requests.js';
import { SessionRegistry } from '../../../../lib/server/sessions/session-registry.js';
import type { Session } from '../../../../lib/server/sessions/session.js';
import type { McpOptions } from '../../../../lib/server/settings/mcp-options.js';
import { until } from '../../../support/until.js';
import { CapturedLog } from '../../support/captured-log.js';
import { buildPeer, openSession } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';

const ID = 'com.example/reports';
const READ = 'notifications/reports/read';
const DECLARED = { extensions: { [ID]: {} } };
const AUTH: Partial<McpOptions> = {
  auth: { bearer: 'a-fixed-token-of-the-desk' },
};

let log: CapturedLog;
let heard: [Params, unknown][];

beforeEach(() => {
  log = CapturedLog.begin();
  heard = [];
});
afterEach(() => log.release());

/** Has a session tell what it has to tell to a server that knows the notification of one extension. */
function setUp(capabilities: ClientCapabilities = DECLARED, options: Partial<McpOptions> = {}) {
  const settings = buildSettings(options);
  const sessions = new SessionRegistry(settings);
  const notifications = new IncomingNotifications(sessions, settings);
  notifications.add(ID, { method: READ, handle: (params, session) => void heard.push([params, session]) });
  const session = openSession(sessions, { capabilities });
  const tell = (method: string, params?: Params, peer: Session | ReturnType<typeof buildPeer> = session) =>
    void notifications.handle(
      { jsonrpc: '2.0', method, ...(params && { params }) },
      peer,
      new InFlightRequests(),
    );
  return { notifications, session, tell };
}

describe('A notification of an extension', () => {
  it('is heard from a session that declared it (EXT-03) (NOTE-07)', () => {
    const { session, tell } = setUp();
    tell(READ, { week: 1 });
    tell(READ);
    expect(heard).toEqual([
      [{ week: 1 }, session],
      [{}, session],
    ]);
  });

  it('is dropped where it is not declared, or not known, or comes without a session (EXT-03) (CORE-02)', () => {
    setUp({}).tell(READ);
    setUp({ extensions: { 'com.example/other': {} } }).tell(READ);
    setUp({ extensions: null } as unknown as ClientCapabilities).tell(READ);
    setUp().tell('notifications/reports/unheard');
    setUp().tell(READ, {}, buildPeer(undefined, { capabilities: DECLARED }));
    expect([heard, log.errors]).toEqual([[], []]);
  });

  it.each([null, true, [ID]])('is dropped where the extensions are %j (EXT-03) (CORE-02)', (extensions) => {
    const { tell } = setUp({ extensions } as never);
    expect(() => tell(READ)).not.toThrow();
    expect([heard, log.errors]).toEqual([[], []]);
  });

  it('needs a token where the server asks for tokens (EXT-03)', () => {
    const { session, tell } = setUp(DECLARED, AUTH);
    tell(READ);
    expect(heard).toEqual([]);
    session.claims = completeClaims({ sub: 'ada' });
    tell(READ);
    expect(heard).toHaveLength(1);
  });

  it('that fails is told to the log, and to nobody else (EXT-03) (CORE-02)', () => {
    const { notifications, tell } = setUp();
    const failure = new Error('No such week');
    notifications.add(ID, {
      method: READ,
      handle: () => {
        throw failure;
      },
    });
    expect(() => tell(READ)).not.toThrow();
    expect(log.errors).toEqual([
      expect.stringMatching(
        `The extension "${ID}" failed to handle a notification: .* method="${READ}" target=-`,
      ),
    ]);
    expect(log.errors[0]).toContain('No such week');
  });

  it('that fails later is told to the log as well (EXT-03) (SAFE-04)', async () => {
    const { notifications, tell } = setUp();
    notifications.add(ID, { method: READ, handle: () => Promise.reject(new Error('No such week')) });
    tell(READ);
    await until(() => log.errors.length > 0, 'the log entry');
    expect(log.errors).toEqual([
      expect.stringMatching(
        `The extension "${ID}" failed to handle a notification: .* method="${READ}" target=-`,
      ),
    ]);
  });
});

describe('notifications/roots/list_changed (MCP client/roots)', () => {
  const CHANGED = 'notifications/roots/list_changed';

  it('has the roots asked for anew (NOTE-07)', () => {
    const { session, tell } = setUp({ roots: { listChanged: true } });
    session.roots = Promise.resolve('{}');
    tell(CHANGED);
    expect(session.roots).toBeUndefined();
  });

  it.each([{}, { roots: {} }, { roots: { listChanged: false } }])(
    'is not heard from a client that declared %j (NOTE-07)',
    (capabilities) => {
      const { session, tell } = setUp(capabilities);
      const roots = Promise.resolve('{}');
      session.roots = roots;
      tell(CHANGED);
      tell('notifications/other');
      expect(session.roots).toBe(roots);
    },
  );
});
