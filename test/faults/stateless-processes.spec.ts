import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { HANDSHAKE_VERSIONS, perRequest } from '../support/clients/json-rpc.js';
import type { Message } from '../support/clients/message.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { startRoundRobin, type RoundRobin } from '../support/round-robin.js';

const PROGRAM = '.build/test/programs/stateless-server.js';
const SECRET = 'one secret that three processes share';
const PROCESSES = 3;
const CALLS = 3000;
const WORKERS = 16;
const INFO = { name: 'roamer', version: '1.0.0' };

type Caller = (turn: number) => Promise<{ readonly expected: string; readonly given: string }>;

describe('Three processes without sessions behind a plain balancer', () => {
  let programs: NodeProgram[] = [];
  let balancer: RoundRobin | undefined;

  afterEach(async () => {
    balancer?.stop();
    await Promise.all(programs.map((program) => program.stop()));
  });

  async function start(secret?: string): Promise<string> {
    const environment = { SECRET: secret };
    programs = Array.from({ length: PROCESSES }, () => new NodeProgram(PROGRAM, environment));
    await Promise.all(programs.map((program) => program.prints('ready')));
    balancer = await startRoundRobin(programs.map(({ stdout }) => /ready (\S+)/.exec(stdout)?.[1] ?? ''));
    return balancer.url;
  }

  it('answer thousands of calls of every kind of client, and none fails (STLS-01)', async () => {
    const url = await start(SECRET);
    const { callers, close } = await connectClients(url);
    const wrong: unknown[] = [];
    const processes = new Set<string>();
    let turn = 0;
    const work = async (): Promise<void> => {
      while (turn < CALLS) {
        const own = turn++;
        const caller = callers[own % callers.length] as Caller;
        const { expected, given } = await caller(own).catch((error: unknown) => ({
          expected: 'an answer',
          given: inspect(error),
        }));
        const [text, pid] = given.split('@');
        if (text !== expected) wrong.push({ own, expected, given });
        if (pid !== undefined) processes.add(pid);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    await close();
    expect(wrong).toEqual([]);
    expect(processes.size).toBe(PROCESSES);
  }, 120_000);

  it('say what to do where they share no secret (STLS-01)', async () => {
    const client = perRequest(await start(), { capabilities: { elicitation: { form: {} } } });
    const params = { name: 'ask', arguments: { text: 'a' } };
    const { result } = await client.request('tools/call', params);
    const { error } = await client.request('tools/call', {
      ...params,
      requestState: result?.['requestState'],
      inputResponses: {},
    });
    expect(error?.code).toBe(-32602);
    expect(error?.message).toMatch(/by a process with a different "secret": repeat the call without it/);
  }, 120_000);
});

/** Calls without any handshake, as a client of a revision does that believes to have made one. */
async function callOnce(url: string, turn: number, version: string | undefined): ReturnType<Caller> {
  const params = { name: 'echo', arguments: { text: `t${turn}` } };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(version !== undefined && { 'mcp-protocol-version': version }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = (await response.json()) as Message;
  const [content] = (result?.['content'] ?? []) as { text: string }[];
  return { expected: `t${turn}`, given: content?.text ?? `nothing with ${response.status}` };
}

/** Connects the official clients, the newest of which is asked in rounds too, and gives a way to call for each client. */
async function connectClients(
  url: string,
): Promise<{ readonly callers: readonly Caller[]; close(): Promise<void> }> {
  const answer = () => ({ action: 'accept' as const, content: { text: 'yes' } });
  const old = new Client(INFO);
  await old.connect(new StreamableHTTPClientTransport(new URL(url)));
  const handshake = new ClientV2(INFO, { versionNegotiation: { mode: 'legacy' } });
  await handshake.connect(new HttpV2(new URL(url)));
  const current = new ClientV2(INFO, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    capabilities: { elicitation: { form: {} } },
  });
  current.setRequestHandler('elicitation/create', answer);
  await current.connect(new HttpV2(new URL(url)));
  const official = [old, handshake, current].map((client): Caller => async (turn) => {
    // Every other call of the newest client goes over three rounds.
    const isAsking = client === current && turn % 2 === 0;
    const name = isAsking ? 'ask' : 'echo';
    const { content } = await client.callTool({ name, arguments: { text: `t${turn}` } });
    const given = (content as { text: string }[])[0]?.text ?? '';
    return { expected: isAsking ? 'yes yes' : `t${turn}`, given };
  });
  const raw = [undefined, ...HANDSHAKE_VERSIONS].map(
    (version): Caller =>
      (turn) =>
        callOnce(url, turn, version),
  );
  return {
    callers: [...official, ...raw, ...raw],
    close: async () => {
      await Promise.all([old, handshake, current].map((client) => client.close()));
    },
  };
}
