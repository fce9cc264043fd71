import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { readResult } from '../../cli/bench/wire/read-result.js';
import type { LoadConnection } from '../../cli/bench/wire/load-connection.js';
import { connect } from '../bench/session.js';
import { findHeader, type RawResponse } from '../../cli/bench/wire/raw-response.js';
import { formatPost } from '../support/clients/request-text.js';

const INITIALIZE = format('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'crowd', version: '1' },
});
const CALL = format('tools/call', { name: 'greet', arguments: {} });
const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

/** The headers of a caller with a token, if it has one. */
export type CallerHeaders = Readonly<Record<string, string>>;

/** What was sent over connections, and how long the answers took. */
export class Exchanges {
  /** How often each status was given. */
  readonly statuses: Record<number, number> = {};
  readonly #latenciesMs: number[] = [];

  /** Sends a request and notes its answer. */
  send(connection: LoadConnection, body: string, headers: CallerHeaders = {}): Promise<RawResponse> {
    return this.sendText(connection, formatPost(body, headers));
  }

  /** Sends a request as it is written on the wire, and notes its answer. */
  async sendText(connection: LoadConnection, text: string): Promise<RawResponse> {
    const begun = performance.now();
    const answer = await connection.exchange(Buffer.from(text));
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    this.#latenciesMs.push(performance.now() - begun);
    return answer;
  }

  get count(): number {
    return this.#latenciesMs.length;
  }

  /** Gives the time that a part of the answers took at most. */
  quantile(part: number): number {
    const sorted = this.#latenciesMs.toSorted((one, other) => one - other);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  }
}

export function format(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** The time between two visits: without it, who visits takes most of the machine from what is visited. */
const VISIT_MS = 5;

/** Visits again and again, as long as something else goes on. */
export async function visitMeanwhile(
  visit: () => Promise<unknown>,
  act: Promise<unknown>,
  pauseMs = VISIT_MS,
): Promise<void> {
  const over = new AbortController();
  const visiting = async (): Promise<void> => {
    for (;;) {
      await visit();
      if (over.signal.aborted) return;
      await delay(pauseMs);
    }
  };
  await Promise.all([visiting(), act.finally(() => over.abort())]);
}

/** Shakes hands and calls, each time over a connection of its own, as long as something else goes on. */
export async function callMeanwhile(
  port: number,
  act: () => Promise<unknown>,
  headers: CallerHeaders = {},
): Promise<Exchanges> {
  const exchanges = new Exchanges();
  await visitMeanwhile(() => callOnce(port, exchanges, headers), act());
  return exchanges;
}

/** The time between two calls of somebody who works. */
const WORK_MS = 300;

/** Calls in one session, again and again, as long as something else goes on. */
export async function workMeanwhile(port: number, act: () => Promise<unknown>): Promise<Exchanges> {
  const exchanges = new Exchanges();
  const connection = await connect({ port });
  const opened = await exchanges.send(connection, INITIALIZE);
  const own = { 'mcp-session-id': findHeader(opened.head, 'mcp-session-id') ?? '' };
  await exchanges.send(connection, INITIALIZED, own);
  const call = () => exchanges.send(connection, CALL, own);
  await call();
  await visitMeanwhile(call, act(), WORK_MS);
  connection.destroy();
  return exchanges;
}

/** Does the same at two servers at once: the one that something goes on at, and one like it that is left alone. */
export async function callBeside(
  [port, quietPort]: readonly [number, number],
  act: () => Promise<unknown>,
  headers: CallerHeaders = {},
): Promise<[caller: Exchanges, quiet: Exchanges]> {
  const acted = act();
  return Promise.all([
    callMeanwhile(port, () => acted, headers),
    callMeanwhile(quietPort, () => acted, headers),
  ]);
}

/** Shakes hands over and over, over so many connections, until so many handshakes are answered. */
export async function shakeHands(
  port: number,
  { handshakes, connections }: { readonly handshakes: number; readonly connections: number },
): Promise<Exchanges> {
  const exchanges = new Exchanges();
  let left = handshakes;
  const press = async (): Promise<void> => {
    const connection = await connect({ port });
    while (left-- > 0) await exchanges.send(connection, INITIALIZE);
    connection.destroy();
  };
  await Promise.all(Array.from({ length: connections }, press));
  return exchanges;
}

/**
 * Expects of a caller who did nothing wrong that each answer came, and within a second. On a machine that is busy with more than
 * the test all answers are late: then they take no longer than those that others got meanwhile, the crowd or a caller of a server
 * that is left alone.
 */
export function expectServed(caller: Exchanges, others: Exchanges): void {
  expect(Object.keys(caller.statuses).filter((status) => !['200', '202'].includes(status))).toEqual([]);
  expect(caller.count).toBeGreaterThan(0);
  const usualMs = 4 * others.quantile(0.9);
  // What the machine holds up is the same share of the answers to both.
  const latestMs = 2 * others.quantile(0.99);
  expect(caller.quantile(0.99)).toBeLessThan(Math.max(1000, usualMs, latestMs));
}

async function callOnce(port: number, exchanges: Exchanges, headers: CallerHeaders): Promise<void> {
  const connection = await connect({ port });
  const opened = await exchanges.send(connection, INITIALIZE, headers);
  const own = { ...headers, 'mcp-session-id': findHeader(opened.head, 'mcp-session-id') ?? '' };
  await exchanges.send(connection, INITIALIZED, own);
  const called = await exchanges.send(connection, CALL, own);
  expect(readResult(called)).toMatchObject({ content: [{ text: 'hello' }] });
  connection.destroy();
}
