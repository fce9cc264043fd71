import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { perRequest, post } from '../../support/clients/json-rpc.js';
import { AuditTable, DATABASE, type Database } from '../../../sample/08-telemetry/desk/audit-table.js';
import { until } from '../../support/until.js';
import { findBlocks } from '../docs/snippets.js';
import { bootAuditedDesk, DeskHandlers, type AuditedDesk } from './audited-desk.js';

const CALL = { name: 'echo', arguments: { text: 'hello' } };

/** An embedded Postgres that can be held up, and counts its statements. */
class HeldDatabase implements Database {
  readonly #postgres: PGlite;
  statements = 0;
  failure: Error | undefined;
  gate: Promise<void> = Promise.resolve();

  constructor(postgres: PGlite) {
    this.#postgres = postgres;
  }

  async query(text: string, values?: unknown[]): Promise<{ readonly rows: Record<string, unknown>[] }> {
    this.statements += 1;
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
    return this.#postgres.query<Record<string, unknown>>(text, values);
  }
}

/** It takes seconds to start. */
const postgres = new PGlite();

afterAll(() => postgres.close());

it('The page on the audit shows SQL that stores events and finds them (OPS-03)', async () => {
  const blocks = findBlocks('docs/audit.md');
  const [create, select] = blocks.filter(({ language }) => language === 'sql').map(({ text }) => text);
  const code = blocks.find(({ file }) => file === 'src/audit-table.ts')?.text ?? '';
  const event = {
    id: '4c0f8f2e-7a0e-4c38-9b55-6a8d2a4e9f11',
    time: new Date().toISOString(),
    caller: { subject: 'ada', address: '203.0.113.7' },
    outcome: 'refused',
    reason: 'rate_limited',
  };
  await postgres.exec(create ?? '');
  try {
    const [, insert = ''] = /`(INSERT[^`]+)`/.exec(code) ?? [];
    await postgres.query(insert, [event.id, event.time, JSON.stringify(event)]);
    await postgres.query(insert, [event.id, event.time, JSON.stringify(event)]);
    const [ofAda, refused] = await postgres.exec(select ?? '');
    expect(ofAda?.rows).toHaveLength(1);
    expect(Object.values(refused?.rows[0] ?? {})).toEqual([event.caller.address, event.reason, 1]);
  } finally {
    await postgres.exec('DROP TABLE mcp_audit');
  }
});

describe.each(['optional', 'required'] as const)('A table of the audit, which is %s', (mode) => {
  let database: HeldDatabase;
  let desk: AuditedDesk;

  beforeEach(async () => {
    database = new HeldDatabase(postgres);
    desk = await bootAuditedDesk({
      providers: [DeskHandlers, AuditTable, { provide: DATABASE, useValue: database }],
      subscribes: false,
      audit: { mode, redact: (value) => value },
    });
    database.statements = 0;
  }, 30_000);

  afterEach(async () => {
    await desk.close();
    await postgres.exec('DROP TABLE mcp_audit');
  });

  async function listRows(): Promise<Record<string, unknown>[]> {
    const { rows } = await postgres.query<Record<string, unknown>>('SELECT * FROM mcp_audit ORDER BY time');
    return rows;
  }

  const reach = (count: number) =>
    until(async () => (await listRows()).length >= count && listRows(), `${count} rows`, 15_000);

  it('has a row for each event, with all that the event says (OPS-03)', async () => {
    await perRequest(desk.url).request('tools/call', CALL);
    await post(desk.url, [], { origin: 'https://evil.example' });
    const rows = await reach(2);
    expect(rows[0]).toMatchObject({
      type: 'request',
      server: 'default',
      transport: 'http',
      address: '127.0.0.1',
      method: 'tools/call',
      target: 'echo',
      arguments: '{"text":"hello"}',
      outcome: 'ok',
      used_scopes: [],
      http_status: null,
    });
    expect(rows[0]?.['time']).toBeInstanceOf(Date);
    expect(rows[1]).toMatchObject({
      outcome: 'refused',
      reason: 'forbidden',
      http_status: 403,
      method: null,
    });
  });

  it('takes whatever text a client sends (OPS-03)', async () => {
    const name = 'zero \u0000 and half \ud83d';
    await perRequest(desk.url, {}).request('completion/complete', {
      ref: { type: 'ref/prompt', name },
      argument: { name: 'a\u0000', value: 'b\ud83d' },
    });
    const [row] = await reach(1);
    expect(row).toMatchObject({
      method: 'completion/complete',
      target: String.raw`zero \u0000 and half \ud83d`,
    });
  });

  it('writes what comes meanwhile in one statement (OPS-03)', async () => {
    let open = (): void => {};
    database.gate = new Promise((resolve) => (open = resolve));
    let events = 0;
    desk.audit.events$.subscribe(() => (events += 1));
    const calls = Array.from({ length: 20 }, () => perRequest(desk.url).request('tools/call', CALL));
    await until(() => events === 20, 'the calls');
    open();
    await Promise.all(calls);
    await reach(20);
    expect(database.statements).toBeLessThan(4);
  });

  it('says that it fails, and goes on once the database is back (OPS-03)', async () => {
    database.failure = new Error('the database is gone');
    const failed = await perRequest(desk.url).request('tools/call', CALL);
    expect(failed.status).toBe(mode === 'required' ? 500 : 200);
    database.failure = undefined;
    expect((await perRequest(desk.url).request('tools/call', CALL)).status).toBe(200);
    expect(await reach(1)).toHaveLength(1);
  });
});
