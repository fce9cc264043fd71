import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client as ClientV2, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { until } from '../../support/until.js';
import { PROGRAM } from './programs.js';

const COMMAND = { command: process.execPath, args: [PROGRAM], stderr: 'pipe' as const };
const OPTIONS = { capabilities: { elicitation: {} } };
const ANSWER = { action: 'accept' as const, content: { name: 'Ada' } };

describe('The official client v1 over stdio', () => {
  let client: ClientV1;
  let faults: Error[];

  beforeEach(async () => {
    client = new ClientV1({ name: 'desk', version: '1.0.0' }, OPTIONS);
    faults = [];
    // A line on standard output that is no message is an error to the client.
    client.onerror = (error) => faults.push(error);
    client.setRequestHandler(ElicitRequestSchema, () => ANSWER);
    await client.connect(new TransportV1(COMMAND));
  });

  afterEach(() => client.close());

  it('lists and calls tools, whatever the application prints (STDIO-01)', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('greet');
    expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
      content: [{ text: 'hello, Ada' }],
    });
    expect(faults).toEqual([]);
  });

  it('hears of progress, is asked, and reads resources (STDIO-01, NOTE-06)', async () => {
    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
    const count = client.callTool({ name: 'count' }, undefined, { onprogress });
    await until(() => steps.length === 3, 'the progress');
    await client.callTool({ name: 'hear' });
    expect(await count).toMatchObject({ content: [{ text: 'three' }] });
    expect(steps).toEqual([1, 2, 3]);
    expect(await client.callTool({ name: 'ask' })).toMatchObject({ content: [{ text: 'you are Ada' }] });
    expect(await client.readResource({ uri: 'desk://state' })).toMatchObject({
      contents: [{ text: 'open' }],
    });
    expect(faults).toEqual([]);
  });
});

const MODES: readonly (readonly [string, string, VersionNegotiationMode])[] = [
  ['by handshake', '2025-11-25', 'legacy'],
  ['on the stateless wire', '2026-07-28', { pin: '2026-07-28' }],
  ['by what it finds', '2026-07-28', 'auto'],
];

describe.each(MODES)('The official client v2 over stdio, %s', (_, version, mode) => {
  let client: ClientV2;
  let faults: Error[];

  beforeEach(async () => {
    client = new ClientV2({ name: 'desk', version: '1.0.0' }, { ...OPTIONS, versionNegotiation: { mode } });
    faults = [];
    client.onerror = (error) => faults.push(error);
    client.setRequestHandler('elicitation/create', () => ANSWER);
    await client.connect(new TransportV2(COMMAND));
  });

  afterEach(() => client.close());

  it('agrees on a revision, lists and calls tools (STDIO-01)', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('greet');
    expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
      content: [{ text: 'hello, Ada' }],
    });
    expect(faults).toEqual([]);
  });

  it('hears of progress, is asked, and reads resources (STDIO-01, NOTE-06)', async () => {
    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
    const count = client.callTool({ name: 'count', arguments: {} }, { onprogress });
    await until(() => steps.length === 3, 'the progress');
    await client.callTool({ name: 'hear', arguments: {} });
    expect(await count).toMatchObject({ content: [{ text: 'three' }] });
    expect(steps).toEqual([1, 2, 3]);
    expect(await client.callTool({ name: 'ask', arguments: {} })).toMatchObject({
      content: [{ text: 'you are Ada' }],
    });
    expect(await client.readResource({ uri: 'desk://state' })).toMatchObject({
      contents: [{ text: 'open' }],
    });
    expect(faults).toEqual([]);
  });

  it('cancels a call, and the server goes on (CANC-01)', async () => {
    const stop = new AbortController();
    const call = client.callTool({ name: 'hang', arguments: {} }, { signal: stop.signal });
    stop.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await until(async () => (await client.listTools()).tools.length > 0, 'an answer');
    expect(faults).toEqual([]);
  });
});
