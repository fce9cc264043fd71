import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bufferCount, map, type Observable } from 'rxjs';
import type { AuditEvent } from 'nestjs-mcp';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { until } from '../../support/until.js';
import { bootAuditedDesk, type AuditedDesk } from './audited-desk.js';

const CALL = { name: 'echo', arguments: { text: 'hello' } };

describe('A subscriber of the audit', () => {
  let desk: AuditedDesk;
  let log: RecordedLog;
  let uncaught: unknown[];

  const note = (error: unknown): void => void uncaught.push(error);

  beforeEach(async () => {
    log = new RecordedLog();
    uncaught = [];
    process.on('uncaughtException', note).on('unhandledRejection', note);
    desk = await bootAuditedDesk({ nest: { logger: log }, audit: { maxPending: 4 } });
  });

  afterEach(async () => {
    await desk.close();
    process.off('uncaughtException', note).off('unhandledRejection', note);
  });

  const fail = (): never => {
    throw new Error('disk full');
  };

  it.each<[string, (events$: Observable<AuditEvent>) => void]>([
    ['throws', (events$) => events$.subscribe(fail)],
    ['rejects', (events$) => events$.subscribe(async () => fail())],
    ['throws as an observer', (events$) => events$.subscribe({ next: fail })],
    ['throws behind operators', (events$) => events$.pipe(bufferCount(1)).subscribe(fail)],
    ['fails in an operator', (events$) => events$.pipe(map(fail)).subscribe()],
    ['throws in its handler of errors', (events$) => events$.pipe(map(fail)).subscribe({ error: fail })],
  ])('that %s harms nobody, and is told of in the log (OPS-03)', async (_how, subscribe) => {
    subscribe(desk.audit.events$);
    const answer = await perRequest(desk.url).request('tools/call', CALL);
    expect(answer.result).toMatchObject({ content: [{ text: 'hello' }] });
    await until(() => log.find('error', 'An "McpAudit" subscriber failed').length > 0, 'the line');
    expect(log.text).toContain('disk full');
    expect(desk.events).toHaveLength(1);
    // What ends a process does so in a later turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(uncaught).toEqual([]);
  });

  it('that throws again and again is told of once in a while (OPS-03)', async () => {
    desk.audit.events$.subscribe(fail);
    for (let count = 0; count < 5; count += 1) await perRequest(desk.url).request('tools/call', CALL);
    expect(desk.events).toHaveLength(5);
    expect(log.find('error', 'An "McpAudit" subscriber')).toHaveLength(1);
  });

  it('that takes its time is waited for by nobody, and misses what it has no room for (OPS-03)', async () => {
    const taken: AuditEvent[] = [];
    let finish = (): void => {};
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const stop = desk.audit.writeTo(async (event) => {
      taken.push(event);
      await gate;
    });
    for (let count = 0; count < 4; count += 1) await perRequest(desk.url).request('tools/call', CALL);
    expect(desk.events).toHaveLength(4);
    expect(taken).toHaveLength(2);
    expect(log.find('error', 'An "McpAudit" subscriber has too many pending events')).toHaveLength(1);
    finish();
    await gate;
    await perRequest(desk.url).request('tools/call', CALL);
    expect(taken).toHaveLength(3);
    stop();
    await perRequest(desk.url).request('tools/call', CALL);
    expect(taken).toHaveLength(3);
  });

  it('hears of the end of the application, which waits for what is not kept yet (OPS-03)', async () => {
    const heard: string[] = [];
    desk.audit.events$.subscribe({ complete: () => heard.push('complete') });
    desk.audit.writeTo(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      heard.push('kept');
    });
    await perRequest(desk.url).request('tools/call', CALL);
    await desk.close();
    expect(heard.toSorted()).toEqual(['complete', 'kept']);
  });
});
