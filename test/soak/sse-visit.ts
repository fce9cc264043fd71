import { randomUUID } from 'node:crypto';
import type { Act } from './acts/session-acts.js';
import type { EventStream } from '../support/clients/event-stream.js';
import type { JsonObject, Message } from '../support/clients/message.js';
import { assertSame } from './tally.js';
import { format, nextId, textOf } from './visit.js';
import { Refusal, type Wire } from './wire.js';

const SOON_MS = 20_000;

/** A client of HTTP+SSE: its stream is its session. */
export class SseVisit {
  private constructor(
    private readonly wire: Wire,
    readonly stream: EventStream,
    private readonly path: string,
    private readonly headers: { readonly authorization: string },
  ) {}

  static async open(wire: Wire, token: string): Promise<SseVisit> {
    const headers = { authorization: `Bearer ${token}` };
    const stream = await wire.openStream({
      path: '/mcp/sse',
      headers: { ...headers, accept: 'text/event-stream' },
      longRunning: true,
    });
    const { data = '' } = await stream.next(({ event }) => event === 'endpoint', SOON_MS);
    const { pathname, search } = new URL(data, 'http://127.0.0.1');
    const visit = new SseVisit(wire, stream, `${pathname}${search}`, headers);
    const clientInfo = { name: 'soak', version: '1.0.0' };
    await visit.request('initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo });
    await visit.post({ method: 'notifications/initialized' });
    return visit;
  }

  async request(method: string, params: JsonObject = {}): Promise<Message> {
    const id = nextId();
    await this.post({ id, method, params });
    return this.stream.nextMessage((message) => message.id === id && message.method === undefined, SOON_MS);
  }

  async post(message: JsonObject): Promise<void> {
    const answer = await this.wire.exchange({
      path: this.path,
      headers: this.headers,
      body: format(message),
    });
    if (answer.status !== 202) throw new Refusal(answer);
  }
}

/** What clients of HTTP+SSE do. */
export const SSE_ACTS: readonly Act<SseVisit>[] = [
  { name: 'SSE call', weight: 10, run: callOnce },
  { name: 'SSE list', weight: 3, run: list },
  { name: 'SSE cancellation', weight: 2, run: cancel },
];

async function callOnce(visit: SseVisit): Promise<void> {
  const text = randomUUID();
  const { result } = await visit.request('tools/call', { name: 'echo', arguments: { text } });
  assertSame(textOf(result), text);
}

async function list(visit: SseVisit): Promise<void> {
  const { result } = await visit.request('tools/list');
  assertSame(Array.isArray(result?.['tools']), true);
}

async function cancel(visit: SseVisit): Promise<void> {
  const id = nextId();
  const params = { name: 'wait', arguments: {}, _meta: { progressToken: id } };
  await visit.post({ id, method: 'tools/call', params });
  await visit.stream.nextNotification('notifications/progress', SOON_MS);
  await visit.post({ method: 'notifications/cancelled', params: { requestId: id } });
}
