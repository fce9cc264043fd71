import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { repeat } from 'rxjs';
import type { AuditEvent, AuditOptions } from 'nestjs-mcp';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { bootAuditedDesk, type AuditedDesk } from './audited-desk.js';

const CALL = { name: 'echo', arguments: { text: 'hello' } };

describe('The audit', () => {
  let desk: AuditedDesk;
  let uncaught: unknown[];

  const note = (error: unknown): void => void uncaught.push(error);

  const boot = async (audit?: AuditOptions): Promise<void> => {
    desk = await bootAuditedDesk({ nest: { logger: new RecordedLog() }, ...(audit && { audit }) });
  };

  beforeEach(() => {
    uncaught = [];
    process.on('uncaughtException', note).on('unhandledRejection', note);
  });

  afterEach(async () => {
    await desk.close();
    process.off('uncaughtException', note).off('unhandledRejection', note);
  });

  const call = async (): Promise<void> => {
    const { result } = await perRequest(desk.url).request('tools/call', CALL);
    expect(result).toMatchObject({ content: [{ text: 'hello' }] });
    // What ends a process does so in a later turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(uncaught).toEqual([]);
  };

  it('hands an event to those alone who were there, though each subscribes again (OPS-03)', async () => {
    await boot();
    let heard = 0;
    const subscribe = (): void => {
      desk.audit.events$.subscribe(() => {
        heard += 1;
        subscribe();
      });
    };
    subscribe();
    await call();
    expect(heard).toBe(1);
    await call();
    expect(heard).toBe(3);
  });

  it('goes on for others when a subscriber leaves while it takes an event (OPS-03)', async () => {
    await boot();
    const heard: string[] = [];
    const leaving = desk.audit.events$.subscribe(() => {
      heard.push('leaving');
      leaving.unsubscribe();
      later.unsubscribe();
    });
    const later = desk.audit.events$.subscribe(() => heard.push('later'));
    desk.audit.events$.subscribe(() => heard.push('last'));
    await call();
    expect(heard).toEqual(['leaving', 'last']);
    await call();
    expect(heard).toEqual(['leaving', 'last', 'last']);
  });

  it('ends, though a subscriber begins again at its end (OPS-03)', async () => {
    await boot();
    const heard: AuditEvent[] = [];
    desk.audit.events$.pipe(repeat()).subscribe((event) => heard.push(event));
    await call();
    await desk.close();
    expect(heard).toHaveLength(1);
  });

  const loop: { self?: unknown } = {};
  loop.self = loop;
  const broken = (): object =>
    Object.defineProperty({}, 'text', { enumerable: true, get: () => fail('unreadable') });
  const fail = (text: string): never => {
    throw new Error(text);
  };

  it.each<[string, NonNullable<AuditOptions['redact']>, unknown]>([
    ['throws', () => fail('broken'), undefined],
    ['rejects', async () => fail('broken'), undefined],
    [
      'gives what rejects',
      () => ({ then: (_take: unknown, refuse: (e: Error) => void) => refuse(new Error()) }),
      undefined,
    ],
    ['gives what holds itself', () => loop, loop],
    ['gives what cannot be read', broken, expect.anything()],
    [
      'takes everything away',
      (value) => Object.assign(value as object, { text: undefined }),
      { text: undefined },
    ],
  ])('goes on with a redactor that %s, whoever keeps its events (OPS-03)', async (_how, redact, shown) => {
    await boot({ redact });
    const kept: AuditEvent[] = [];
    desk.audit.writeTo(async (event) => {
      await new Promise((resolve) => setImmediate(resolve));
      kept.push(event);
    });
    desk.audit.events$.subscribe((event) => JSON.stringify(event));
    for (let count = 0; count < 2; count += 1) await Promise.all([call(), call(), call()]);
    const [first] = desk.events;
    expect(first?.arguments).toEqual(shown);
    expect(desk.events).toHaveLength(6);
    await desk.close();
    expect(kept).toHaveLength(6);
  });
});
