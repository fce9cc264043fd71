import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { bootRecordedDesk, type RecordedDesk } from './recorded-desk.js';

const NAMES = Array.from({ length: 30 }, () => `made/${randomBytes(4).toString('hex')}`);

describe.each(ADAPTERS)('Names of spans on %s', (adapter) => {
  let desk: RecordedDesk;

  beforeAll(async () => {
    desk = await bootRecordedDesk({ adapter });
  });

  beforeEach(() => desk.traces.clear());

  afterAll(async () => {
    await desk.close();
    await desk.metrics.stop();
  });

  const listNames = (): readonly string[] =>
    [...new Set(desk.traces.spans.map(({ name }) => name))].toSorted();

  it('are of few, whatever methods callers make up (OPS-07)', async () => {
    const session = await initialize(desk.url);
    desk.traces.clear();
    for (const name of NAMES) {
      await session.request(name);
      await perRequest(desk.url).request(name);
      await session.notify(`notifications/${name}`);
      await post(desk.url, { jsonrpc: '2.0', id: 1, method: name }, { 'mcp-session-id': 'unknown' });
      await post(desk.url, { jsonrpc: '2.0', id: 1, method: name }, { origin: 'https://evil.example' });
    }
    await session.request('ping');
    expect(listNames()).toEqual(['mcp.refused', 'mcp.unknown', 'ping']);
    const series = await desk.metrics.points('mcp.server.operation.duration');
    expect(JSON.stringify(series)).not.toContain('made/');
  });

  it('are of few, whatever tools, prompts and resources callers make up (OPS-07)', async () => {
    const client = perRequest(desk.url);
    for (const name of NAMES) {
      await client.request('tools/call', { name });
      await client.request('prompts/get', { name });
      await client.request('resources/read', { uri: `${name}:x` });
      await client.request('completion/complete', {
        ref: { type: 'ref/prompt', name },
        argument: { name: 'name', value: '' },
      });
      await post(
        desk.url,
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } },
        { 'mcp-session-id': 'unknown' },
      );
    }
    expect(listNames()).toEqual(['completion/complete', 'prompts/get', 'resources/read', 'tools/call']);
    const series = await desk.metrics.points('mcp.server.operation.duration');
    expect(JSON.stringify(series)).not.toContain('made/');
  });

  it('have what callers made up as an attribute, cut and on one line (OPS-07)', async () => {
    const session = await initialize(desk.url);
    desk.traces.clear();
    await session.request(`made/up\n${'x'.repeat(500)}`);
    const span = await desk.traces.span('mcp.unknown');
    expect(span.attributes['mcp.method.name']).toMatch(/^made\/up\\nx{100,121}…$/);
    await session.request('tools/call', { name: 'a\u2028b' });
    expect((await desk.traces.span('tools/call')).attributes['gen_ai.tool.name']).toBe('a\\u2028b');
  });

  it('of completions have the prompt that is completed (OPS-01)', async () => {
    const argument = { name: 'name', value: 'A' };
    const client = perRequest(desk.url);
    await client.request('completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument });
    const span = await desk.traces.span('completion/complete greet');
    expect(span.attributes).toMatchObject({ 'gen_ai.prompt.name': 'greet' });
    await client.request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'desk://{id}' },
      argument,
    });
    expect((await desk.traces.span('completion/complete')).attributes).toMatchObject({
      'mcp.resource.uri': 'desk://{id}',
    });
  });
});
