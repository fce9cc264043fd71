import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Server } from 'node:http';
import { context, trace } from '@opentelemetry/api';
import { memoryCluster } from 'nestjs-mcp/testing';
import { ADAPTERS } from '../../support/applications/boot.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { CLUSTER_SECRET } from '../../support/cluster/task-desks.js';
import { recordAmbientTraces } from '../../support/records/ambient-traces.js';
import { CALLER, RecordedTraces } from '../../support/records/recorded-traces.js';
import { bootRecordedDesk, type RecordedDesk } from './recorded-desk.js';

const CAPABILITIES = { elicitation: {} };
const ACCEPT = { action: 'accept', content: { word: 'quire' } };
const META = { traceparent: CALLER.traceparent };
const CALL = { jsonrpc: '2.0', id: 'call', method: 'tools/call' } as const;

describe.each(ADAPTERS)('A trace of a server with several processes, on %s', (adapter) => {
  const ambient = recordAmbientTraces();
  let http: RecordedTraces;
  let one: RecordedDesk;
  let two: RecordedDesk;

  beforeEach(async () => {
    http = new RecordedTraces();
    const options = { secret: CLUSTER_SECRET, cluster: memoryCluster() };
    one = await bootRecordedDesk({ adapter, options });
    two = await bootRecordedDesk({ adapter, options });
  });

  afterEach(async () => {
    await Promise.all([one.close(), two.close()]);
    await Promise.all([one.metrics.stop(), two.metrics.stop()]);
  });

  const connect = () => initialize(one.url, { capabilities: CAPABILITIES });

  /** Asks a question by one process; gives the stream of the call and the question. */
  async function ask(session: SessionClient) {
    const stream = await session.start('tools/call', { name: 'ask', _meta: META }).stream();
    const question = await stream.nextMessage(({ method }) => method === 'elicitation/create');
    return { stream, question, answer: { jsonrpc: '2.0', id: question.id, result: ACCEPT } };
  }

  /** Posts a message for the stream of the first process to the second. */
  async function postElsewhere(params: object): Promise<void> {
    instrument(two, http);
    const client = await SseClient.connect(`${one.origin}/sse`);
    const { pathname, search } = new URL(client.endpoint);
    await sendHttp(`${two.origin}${pathname}${search}`, { json: { ...CALL, params } });
    await client.response('call');
    await client.close();
  }

  it('goes on below the span of the process that a message reached (OPS-01) (RELAY-05)', async () => {
    await postElsewhere({ name: 'echo', arguments: { text: 'a' } });
    // In one process contexts reach the other application by themselves; only what was carried is remote.
    const [received] = http.spans;
    const call = await one.traces.span('tools/call echo');
    expect(call.parentSpanContext).toMatchObject({ ...idsOf(received), isRemote: true });
    expect((await ambient.span('SELECT tickets')).parentSpanContext).toMatchObject(idsOf(call));
    expect(two.traces.spans.filter(({ name }) => name === 'tools/call echo')).toEqual([]);
  });

  it('has the span of `_meta` as parent, and that of the other process as link (OPS-01) (RELAY-05)', async () => {
    await postElsewhere({ name: 'echo', arguments: { text: 'a' }, _meta: META });
    const call = await one.traces.span('tools/call echo');
    expect(call.parentSpanContext).toMatchObject({ traceId: CALLER.traceId, spanId: CALLER.spanId });
    const [received] = http.spans;
    expect(call.links.map((link) => link.context)).toMatchObject([{ ...idsOf(received), isRemote: true }]);
  });

  it('stays one where the answer to a question arrives elsewhere (OPS-01) (RELAY-05)', async () => {
    const session = await connect();
    const { stream, question, answer } = await ask(session);
    await session.at(two.url).post(answer);
    await stream.ended;
    const call = await one.traces.span('tools/call ask');
    const asked = await one.traces.span('elicitation/create');
    expect(call.parentSpanContext).toMatchObject({ traceId: CALLER.traceId, spanId: CALLER.spanId });
    expect(asked.parentSpanContext).toMatchObject(idsOf(call));
    expect(asked.attributes).not.toHaveProperty(['error.type']);
    expect(question.params?.['_meta']).toMatchObject({ traceparent: traceparentOf(asked) });
  });

  it('stays one where the stream of a call is resumed elsewhere (OPS-01) (RELAY-05)', async () => {
    const session = await connect();
    const begun = await ask(session);
    const { lastEventId } = begun.stream;
    await begun.stream.close();
    const resumed = await session.at(two.url).openStream({ lastEventId });
    await session.at(two.url).post(begun.answer);
    await resumed.ended;
    expect(resumed.messages.at(-1)?.result).toMatchObject({ content: [{ text: 'accept' }] });
    const [call, asked] = await Promise.all(
      ['tools/call ask', 'elicitation/create'].map((name) => one.traces.span(name)),
    );
    expect(call?.spanContext().traceId).toBe(CALLER.traceId);
    expect(asked?.parentSpanContext).toMatchObject(idsOf(call));
  });

  it('stays one where a call is cancelled elsewhere (OPS-01) (RELAY-05)', async () => {
    const session = await connect();
    const call = session.start('tools/call', { name: 'wait', _meta: META });
    const answered = call.answer().catch(() => undefined);
    await session.request('ping');
    await session.at(two.url).notify('notifications/cancelled', { requestId: call.id, _meta: META });
    const cancelled = await one.traces.span('tools/call wait');
    const told = await two.traces.span('notifications/cancelled');
    expect(cancelled.attributes['error.type']).toBe('cancelled');
    for (const { parentSpanContext } of [cancelled, told]) {
      expect(parentSpanContext).toMatchObject({ traceId: CALLER.traceId, spanId: CALLER.spanId });
    }
    await answered;
  });

  it('stays one where the rounds of a call reach several processes (OPS-01) (RELAY-01)', async () => {
    const options = { capabilities: CAPABILITIES, meta: META };
    const asked = await perRequest(one.url, options).request('tools/call', { name: 'ask' });
    const { requestState, inputRequests } = asked.result as {
      requestState: string;
      inputRequests: Record<string, { params: { _meta: object } }>;
    };
    const [[key, question] = []] = Object.entries(inputRequests);
    const inputResponses = { [String(key)]: ACCEPT };
    const params = { name: 'ask', requestState, inputResponses };
    expect((await perRequest(two.url, options).request('tools/call', params)).result).toMatchObject({
      content: [{ text: 'accept' }],
    });
    for (const { traces } of [one, two]) {
      expect((await traces.span('tools/call ask')).parentSpanContext).toMatchObject({
        spanId: CALLER.spanId,
      });
    }
    const span = await one.traces.span('elicitation/create');
    expect(question?.params._meta).toMatchObject({ traceparent: traceparentOf(span) });
  });
});

/** Has the requests of an application served in spans, as an instrumentation of HTTP does. */
function instrument({ app }: RecordedDesk, { provider }: RecordedTraces): void {
  const server = app.getHttpServer() as Server;
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (...request) => {
    const span = provider.getTracer('http').startSpan('POST');
    request[1].once('close', () => span.end());
    context.with(trace.setSpan(context.active(), span), () => {
      for (const listener of listeners) listener.call(server, ...request);
    });
  });
}

type Named = { spanContext(): { readonly traceId: string; readonly spanId: string } };

function idsOf(span: Named | undefined): object {
  const { traceId, spanId } = span?.spanContext() ?? {};
  return { traceId, spanId };
}

function traceparentOf(span: Named): string {
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}
