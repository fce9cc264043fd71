import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { LoadConnection } from '../../cli/bench/wire/load-connection.js';
import { connect } from '../bench/session.js';
import { findHeader, type RawResponse } from '../../cli/bench/wire/raw-response.js';
import { PER_REQUEST_VERSION } from '../support/clients/json-rpc.js';
import { metaKey } from '../support/clients/message.js';
import { formatPost } from '../support/clients/request-text.js';
import { TASK_CLIENT } from '../support/clients/task-wires.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { Exchanges, visitMeanwhile } from './second-caller.js';

const PROGRAM = fileURLToPath(new URL('../../.build/test/programs/heap-server.js', import.meta.url));
const HEAP_MB = 256;
/** What one who did nothing wrong waits for at most, in 99 of 100 cases. */
const LONGEST_MS = 1000;
/** How many times longer than at a server that nobody attacks, where even that takes more than a tenth of it. */
const QUIET_FACTOR = 10;

/** A server with default options and a small heap. */
export class HeapProgram extends NodeProgram {
  private constructor(private readonly tokens: readonly string[] | undefined) {
    const environment = tokens && { TOKENS: tokens.join() };
    super(PROGRAM, environment, [`--max-old-space-size=${HEAP_MB}`, '--expose-gc']);
  }

  /** @param tokens who may come with a token; without any, the server asks for none */
  static async start(tokens?: readonly string[]): Promise<HeapProgram> {
    const program = new HeapProgram(tokens);
    await program.prints('ready');
    return program;
  }

  /** Starts another one like this. */
  startTwin(): Promise<HeapProgram> {
    return HeapProgram.start(this.tokens);
  }

  get port(): number {
    return Number(new URL(/ready (\S+)/.exec(this.stdout)?.[1] ?? '').port);
  }
}

/**
 * Attacks a server while a caller shakes hands and calls, again and again, and expects the caller to be served within a second. The same
 * caller visits a server that nobody attacks at the same time: if the machine is so busy that this one is slow too, both may take longer.
 */
export async function expectEndured(
  program: HeapProgram,
  attack: () => Promise<unknown>,
  token?: string,
): Promise<void> {
  const twin = await program.startTwin();
  try {
    const [attacked, quiet] = [new Exchanges(), new Exchanges()];
    const [here, there] = await Promise.all([connect({ port: program.port }), connect({ port: twin.port })]);
    const visitBoth = () => Promise.all([visit(here, attacked, token), visit(there, quiet, token)]);
    await visitMeanwhile(visitBoth, attack());
    for (const connection of [here, there]) connection.destroy();
    expect(Object.keys(attacked.statuses)).toEqual(['200']);
    expect(attacked.quantile(0.99)).toBeLessThan(Math.max(LONGEST_MS, QUIET_FACTOR * quiet.quantile(0.99)));
  } finally {
    await twin.stop('SIGKILL');
  }
}

/** Shakes hands, and calls a tool on either wire. */
async function visit(
  connection: LoadConnection,
  exchanges: Exchanges,
  token: string | undefined,
): Promise<void> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const opened = await exchanges.send(connection, formatInitialize(), authorization);
  await exchanges.send(connection, GREET, { 'mcp-session-id': readSession(opened), ...authorization });
  await exchanges.sendText(connection, formatDetached('tools/call', { name: 'greet' }, authorization));
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
export function readSession(answer: RawResponse): string {
  return findHeader(answer.head, 'mcp-session-id') ?? '';
}

export function send(connection: LoadConnection, text: string): Promise<RawResponse> {
  return connection.exchange(Buffer.from(text));
}
