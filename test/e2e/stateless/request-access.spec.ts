import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { initialize, post } from '../../support/clients/json-rpc.js';
import type { Message } from '../../support/clients/message.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { bootStateless, type StatelessDesk } from './stateless-desk.js';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'caller' } };
const VERSION = { 'mcp-protocol-version': '2025-11-25' };

describe.each(ADAPTERS)('a protected server without sessions on %s', (adapter) => {
  let desk: StatelessDesk;

  beforeAll(async () => {
    desk = await bootStateless(adapter, { auth: { bearer: Object.values(CALLERS) } });
  });

  afterAll(() => desk.close());

  it('asks every request for its token (STLS-01) (AUTH-01)', async () => {
    const statuses = await Promise.all([
      post(desk.url, CALL, VERSION),
      post(desk.url, [CALL]),
      post(desk.url, { jsonrpc: '2.0', method: 'notifications/initialized' }),
      sendHttp(desk.url, { headers: { accept: 'text/event-stream' } }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(statuses[0]?.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('serves each request as the caller whose token it has (STLS-01)', async () => {
    const session = await initialize(desk.url, { headers: authorize(CALLERS.ada.token) });
    const subjects = await Promise.all(
      [CALLERS.ada, CALLERS.bob].map(async ({ token }) => {
        const { json } = await post(desk.url, CALL, { ...session.headers, ...authorize(token) });
        return ((json as Message).result?.['structuredContent'] as { subject: string } | undefined)?.subject;
      }),
    );
    expect(subjects).toEqual(['ada', 'bob']);
  });
});

describe('a server without sessions, at its start', () => {
  async function findWarnings(secret?: string): Promise<readonly string[]> {
    const log = new RecordedLog();
    const desk = await bootStateless('express', secret === undefined ? {} : { secret }, { logger: log });
    await desk.close();
    return log.find('warn');
  }

  it('warns once where processes could not share what they sign (STLS-01)', async () => {
    const warnings = await findWarnings();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /"stateless" is set without "secret".*set the same "secret" in all processes/,
    );
  });

  it('says nothing where they share a secret (STLS-01)', async () => {
    expect(await findWarnings('one secret for all of these processes')).toEqual([]);
  });
});
