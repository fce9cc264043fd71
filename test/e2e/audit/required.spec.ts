import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpInMemoryConnector, McpSessions } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { connect } from '../telemetry/recorded-desk.js';
import { bootAuditedDesk, type AuditedDesk } from './audited-desk.js';

const CALL = { name: 'echo', arguments: { text: 'hello' } };
const UNHEARD = 'The server must record every operation but cannot do so at the moment: try again later';
const UNKEPT =
  'The server could not record this operation, so its result is withheld; the operation may have taken effect';

describe.each(ADAPTERS)('A required audit on %s', (adapter) => {
  let desk: AuditedDesk;
  let log: RecordedLog;

  /** @param timeoutMs how long a writer may take: longer than any machine needs if nothing else is said */
  async function boot(timeoutMs = 10 * 60_000): Promise<void> {
    log = new RecordedLog();
    desk = await bootAuditedDesk({
      adapter,
      nest: { logger: log },
      subscribes: false,
      audit: { mode: 'required', timeoutMs },
    });
  }

  beforeEach(() => boot());

  afterEach(() => desk.close());

  const fail = (): never => {
    throw new Error('disk full');
  };

  it('lets nothing happen while nobody subscribes, and says so (OPS-03)', async () => {
    const answer = await perRequest(desk.url).request('tools/call', CALL);
    expect(answer).toMatchObject({ status: 503, error: { code: -32603, message: UNHEARD } });
    expect(answer.headers['retry-after']).toBeDefined();
    expect(log.find('error', 'Every request is rejected: "audit.mode" is "required"')).toHaveLength(1);
    desk.audit.events$.subscribe();
    expect(await perRequest(desk.url).request('tools/call', CALL)).toMatchObject({ status: 200 });
  });

  it('answers when a writer has kept the event (OPS-03)', async () => {
    const order: string[] = [];
    let keep = (): void => {};
    const gate = new Promise<void>((resolve) => (keep = resolve));
    const asked = new Promise<void>((resolve) => {
      desk.audit.writeTo(async () => {
        resolve();
        await gate;
        order.push('kept');
      });
    });
    const answered = perRequest(desk.url)
      .request('tools/call', CALL)
      .then(() => order.push('answered'));
    await asked;
    // Another request makes its way through the server meanwhile.
    await sendHttp(`${desk.origin}/nothing`);
    expect(order).toEqual([]);
    keep();
    await answered;
    expect(order).toEqual(['kept', 'answered']);
  });

  async function expectWithheld(): Promise<void> {
    const answer = await perRequest(desk.url).request('tools/call', CALL);
    expect(answer).toMatchObject({ status: 500, error: { code: -32603, message: UNKEPT } });
    expect(log.find('error', 'An "McpAudit" subscriber')).toHaveLength(1);
  }

  it.each<[string, (desk: AuditedDesk) => void]>([
    ['rejects', ({ audit }) => void audit.writeTo(async () => fail())],
    ['throws', ({ audit }) => void audit.events$.subscribe(fail)],
  ])('withholds the result if a subscriber %s (OPS-03)', async (_how, subscribe) => {
    subscribe(desk);
    await expectWithheld();
  });

  it('withholds the result if a subscriber takes too long (OPS-03)', async () => {
    await desk.close();
    await boot(50);
    desk.audit.writeTo(() => new Promise<void>(() => {}));
    await expectWithheld();
  });

  it('answers refusals when they are kept, and with an error if they cannot be (OPS-03)', async () => {
    let isKept = true;
    const kept: unknown[] = [];
    desk.audit.writeTo(async (event) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isKept) fail();
      kept.push(event.http?.status);
    });
    expect((await sendHttp(desk.url, { method: 'PUT' })).status).toBe(405);
    expect((await post(desk.url, [], {})).status).toBe(400);
    expect(kept).toEqual([405, 400]);
    isKept = false;
    const refused = await post(desk.url, [], { origin: 'https://evil.example' });
    expect(refused.status).toBe(500);
    expect(refused.json).toMatchObject({ error: { code: -32603, message: UNKEPT } });
  });

  it('opens no session whose handshake cannot be kept (OPS-03)', async () => {
    desk.audit.events$.subscribe(fail);
    await expect(initialize(desk.url)).rejects.toThrow(UNKEPT);
    expect(await desk.app.get(McpSessions).count()).toMatchObject({ sessions: 0 });
  });

  it('does not take a notification that cannot be kept (OPS-03)', async () => {
    const unsubscribe = desk.audit.writeTo(() => undefined);
    const session = await initialize(desk.url);
    unsubscribe();
    const answer = await session.notify('notifications/cancelled', { requestId: 1 });
    expect(answer.status).toBe(503);
  });

  it('tells clients of other transports (OPS-03)', async () => {
    const unsubscribe = desk.audit.writeTo(() => undefined);
    const client = await connect(await desk.app.get(McpInMemoryConnector).connect());
    unsubscribe();
    await expect(client.callTool(CALL)).rejects.toThrow(UNHEARD);
    desk.audit.events$.subscribe(fail);
    await expect(client.callTool(CALL)).rejects.toThrow(UNKEPT);
  });
});
