import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { Connection } from '../bench/connection.js';
import { findHeader, type HttpAnswer } from '../bench/http-answer.js';
import { PER_REQUEST_VERSION } from '../support/clients/json-rpc.js';
import { metaKey } from '../support/clients/message.js';
import { formatPost } from '../support/clients/request-text.js';
import { TASK_CLIENT } from '../support/clients/task-wires.js';
import { NodeProgram } from '../support/programs/node-program.js';

const PROGRAM = fileURLToPath(new URL('../../.build/test/programs/heap-server.js', import.meta.url));
const HEAP_MB = 256;
/** What one who did nothing wrong waits for at most, in 99 of 100 cases. */
const LONGEST_MS = 1000;

/** A server with default options and a small heap. */
export class HeapProgram extends NodeProgram {
  /** @param tokens who may come with a token; without any, the server asks for none */
  static async start(tokens?: readonly string[]): Promise<HeapProgram> {
    const environment = tokens && { TOKENS: tokens.join() };
    const program = new HeapProgram(PROGRAM, environment, [`--max-old-space-size=${HEAP_MB}`, '--expose-gc']);
    await program.prints('ready');
    return program;
  }

  get port(): number {
    return Number(new URL(/ready (\S+)/.exec(this.stdout)?.[1] ?? '').port);
  }
}

/** Attacks a server while somebody else shakes hands and calls, again and again, and expects that one to be served. */
export async function expectEndured(
  { port }: HeapProgram,
  attack: () => Promise<unknown>,
  token?: string,
): Promise<void> {
  const bystander = await Connection.open(port);
  const over = new AbortController();
  const answers: Timed[] = [];
  const watching = async (): Promise<void> => {
    do answers.push(...(await visit(bystander, token)));
    while (!over.signal.aborted);
  };
  await Promise.all([watching(), attack().finally(() => over.abort())]);
  bystander.close();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const latencies = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
  expect(latencies[Math.ceil(latencies.length * 0.99) - 1]).toBeLessThan(LONGEST_MS);
}

interface Timed extends HttpAnswer {
  readonly ms: number;
}

/** Shakes hands, and calls a tool on either wire. */
async function visit(connection: Connection, token: string | undefined): Promise<readonly Timed[]> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const sendTimed = async (text: string): Promise<Timed> => {
    const begun = performance.now();
    return { ...(await send(connection, text)), ms: performance.now() - begun };
  };
  const opened = await sendTimed(formatPost(formatInitialize(), authorization));
  const headers = { 'mcp-session-id': readSession(opened), ...authorization };
  const called = await sendTimed(formatPost(GREET, headers));
  return [opened, called, await sendTimed(formatDetached('tools/call', { name: 'greet' }, authorization))];
}

const GREET = formatBody('tools/call', { name: 'greet', arguments: {} });

/** Formats the body of a request. */
export function formatBody(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** Formats a request of the stateless wire, of a client that takes tasks. */
export function formatDetached(
  method: string,
  params: { readonly name?: string; readonly [member: string]: unknown },
  headers: Readonly<Record<string, unknown>> = {},
): string {
  const _meta = {
    [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
    [metaKey('clientCapabilities')]: TASK_CLIENT,
    progressToken: 1,
  };
  return formatPost(formatBody(method, { ...params, _meta }), {
    'mcp-protocol-version': PER_REQUEST_VERSION,
    'mcp-method': method,
    ...(params.name !== undefined && { 'mcp-name': params.name }),
    ...headers,
  });
}

/** Formats the body of a handshake. */
export function formatInitialize(capabilities: object = {}, protocolVersion = '2025-11-25'): string {
  const clientInfo = { name: 'a client', version: '1' };
  return formatBody('initialize', { protocolVersion, capabilities, clientInfo });
}

/** Gives the id of the session that an answer opens. */
export function readSession(answer: HttpAnswer): string {
  return findHeader(answer.head, 'mcp-session-id') ?? '';
}

export function send(connection: Connection, text: string): Promise<HttpAnswer> {
  return connection.exchange(Buffer.from(text));
}
