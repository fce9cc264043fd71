import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type AuditEvent, type AuditOptions } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS } from '../../support/applications/boot.js';
import { Gate } from '../../support/applications/gate.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { until } from '../../support/until.js';
import { bootAuditedDesk, type AuditedDesk } from './audited-desk.js';

const SHARED = 8;
const CROWDED = 'The records of your earlier operations are still being stored: try again later';
const BUSY = 'An "McpAudit" subscriber has too many pending events, so further events are dropped';

@Injectable()
class Counting {
  calls = 0;
  readonly gate = new Gate();

  @Tool({ inputSchema: z.object({ text: z.string() }) })
  count({ text }: { text: string }): string {
    this.calls += 1;
    return text;
  }

  @Tool({ inputSchema: z.object({ text: z.string() }) })
  async hold(_arguments: object): Promise<string> {
    this.calls += 1;
    await this.gate.pass();
    return 'held';
  }
}

describe.each(ADAPTERS)('What a subscriber of the audit may be busy with, on %s', (adapter) => {
  let desk: AuditedDesk;
  let log: RecordedLog;
  /** Events that a writer was given, and has kept or not. */
  let given: AuditEvent[];
  let finish: () => void;

  const validate = (token: string) => {
    if (token.startsWith('bad')) throw new Error('unknown');
    return { sub: token, iss: 'https://issuer.example.com' };
  };

  const boot = async (audit: AuditOptions = {}) => {
    desk = await bootAuditedDesk({
      adapter,
      trustProxy: true,
      nest: { logger: log },
      providers: [Counting],
      options: { auth: { validator: { validate } } },
      audit: { maxPending: SHARED, ...audit },
      subscribes: false,
    });
  };

  /** Has a writer keep events for which that is told at once, and the others when it is let. */
  const write = (keepsAtOnce: (event: AuditEvent) => boolean = () => false): void => {
    const gate = new Promise<void>((resolve) => (finish = resolve));
    desk.audit.writeTo(async (event) => {
      given.push(event);
      if (!keepsAtOnce(event)) await gate;
    });
  };

  beforeEach(() => {
    log = new RecordedLog();
    given = [];
    finish = () => {};
  });

  afterEach(async () => {
    finish();
    await desk.close();
  });

  const call = (subject: string, name = 'count') =>
    perRequest(desk.url, { headers: { authorization: `Bearer ${subject}` } }).request('tools/call', {
      name,
      arguments: { text: 'a' },
    });
  const knock = (address: string) =>
    sendHttp(desk.url, {
      method: 'POST',
      json: {},
      headers: { authorization: 'Bearer bad', 'x-forwarded-for': address },
    });
  const subjects = () => given.map(({ caller }) => caller.subject);

  it('is shared among callers: a flood of refusals leaves room for whoever has a token (OPS-03)', async () => {
    await boot();
    write();
    for (let count = 0; count < 20; count += 1) await knock('203.0.113.7');
    expect(given).toHaveLength(2);
    // Another address, and then all of them.
    await knock('203.0.113.8');
    expect(given).toHaveLength(3);
    for (let count = 0; count < 20; count += 1) await knock(`203.0.113.${100 + count}`);
    expect(given).toHaveLength(SHARED / 2);
    await call('ada');
    expect(subjects()).toContain('ada');
    await call('bob');
    expect(subjects()).toContain('bob');
  });

  it('leaves room for others beside a caller who calls without end (OPS-03)', async () => {
    await boot();
    write();
    for (let count = 0; count < 20; count += 1) await call('ada');
    expect(given).toHaveLength(SHARED / 2);
    await call('bob');
    await knock('203.0.113.7');
    expect(subjects().slice(SHARED / 2)).toEqual(['bob', undefined]);
  });

  it('is told of with a figure when it was too much (OPS-03)', async () => {
    await boot();
    write();
    for (let count = 0; count < 20; count += 1) await call('ada');
    expect(log.find('error', BUSY)).toEqual([expect.not.stringContaining('more since')]);
    finish();
    await desk.close();
    const missed = 20 - given.length;
    expect(log.find('error', BUSY)[1]).toContain(`(${missed - 1} times more since it was last logged)`);
  });

  it('is bounded by what the heap holds, whatever a redactor shows (OPS-03)', async () => {
    await boot({
      maxPending: 1000,
      maxPendingBytes: 100_000,
      redact: () => ({ shown: 'x'.repeat(20_000) }),
    });
    write();
    for (let count = 0; count < 20; count += 1) await call('ada');
    expect(given).toHaveLength(2);
    await call('bob');
    expect(subjects()).toEqual(['ada', 'ada', 'bob']);
  });

  it('stops nobody else’s calls where events are required (OPS-03)', async () => {
    await boot({ mode: 'required', timeoutMs: 50 });
    write(({ caller }) => caller.subject === 'ada');
    const statuses = [];
    for (let count = 0; count < 10; count += 1) statuses.push((await knock('203.0.113.7')).status);
    expect(statuses.slice(0, 3)).toEqual([500, 500, 429]);
    for (let count = 0; count < 3; count += 1) expect((await call('ada')).status).toBe(200);
  });

  it('lets no call run whose event has no room, where events are required (OPS-03)', async () => {
    await boot({ mode: 'required', timeoutMs: 50 });
    write();
    for (let count = 0; count < SHARED / 2; count += 1) expect((await call('ada')).status).toBe(500);
    const { calls } = desk.app.get(Counting);
    const refused = await call('ada');
    expect(refused).toMatchObject({ status: 429, error: { code: -32023, message: CROWDED } });
    expect(refused.headers['retry-after']).toBeDefined();
    expect(desk.app.get(Counting).calls).toBe(calls);
    expect(log.find('error', 'A request was rejected: "audit.mode" is "required"')).toHaveLength(1);
    finish();
    expect((await call('ada')).status).toBe(200);
  });

  it('counts what runs, where events are required: no more runs at once than can be kept (OPS-03)', async () => {
    await boot({ mode: 'required' });
    write(() => true);
    const statuses: number[] = [];
    const counting = desk.app.get(Counting);
    const answers = Array.from({ length: 10 }, async () => {
      statuses.push((await call('ada', 'hold')).status);
    });
    await until(() => statuses.length === 10 - SHARED / 2, 'the refusals');
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect((await call('bob')).status).toBe(200);
    await until(() => counting.calls === SHARED / 2 + 1, 'the calls that run');
    counting.gate.open();
    await Promise.all(answers);
    expect(statuses.filter((status) => status === 200)).toHaveLength(SHARED / 2);
    expect((await call('ada')).status).toBe(200);
  });
});
