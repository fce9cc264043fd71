import { randomUUID } from 'node:crypto';
import { assertSame } from '../tally.js';
import { format, nextId, type Visit } from '../visit.js';
import type { Act } from './session-acts.js';

/** What is refused: each act is right where its refusal is the one that it should be. */
export const WRONG_ACTS: readonly Act<Visit>[] = [
  { name: 'wrong arguments', weight: 2, run: (visit) => expectToolError(visit, 'echo', { text: 5 }) },
  { name: 'handler that fails', weight: 2, run: (visit) => expectToolError(visit, 'fail', {}) },
  { name: 'unknown tool', weight: 1, run: callUnknownTool },
  { name: 'unknown method', weight: 1, run: callUnknownMethod },
  { name: 'body that is no JSON', weight: 1, run: sendNoJson },
  { name: 'unknown session', weight: 1, run: nameUnknownSession },
  { name: 'forged token', weight: 1, run: bringForgedToken },
  { name: 'missing scope', weight: 1, run: callWithoutScope },
];

async function expectToolError(visit: Visit, name: string, given: { text?: number }): Promise<void> {
  const { isError } = await visit.request('tools/call', { name, arguments: given });
  assertSame(isError, true);
}

async function callUnknownTool(visit: Visit): Promise<void> {
  const { error } = await visit.ask('tools/call', { name: 'nowhere', arguments: {} });
  assertSame(error?.code, -32602);
}

async function callUnknownMethod(visit: Visit): Promise<void> {
  const { error } = await visit.ask('no/such/method');
  assertSame(error?.code, -32601);
}

async function sendNoJson({ wire, headers }: Visit): Promise<void> {
  const { status } = await wire.exchange({ headers, body: '{"jsonrpc":' });
  assertSame(status, 400);
}

async function nameUnknownSession({ wire, headers }: Visit): Promise<void> {
  const body = format({ id: nextId(), method: 'ping' });
  const { status } = await wire.exchange({ headers: { ...headers, 'mcp-session-id': randomUUID() }, body });
  assertSame(status, 404);
}

async function bringForgedToken({ wire, headers }: Visit): Promise<void> {
  const body = format({ id: nextId(), method: 'ping' });
  const forged = `${headers['authorization']?.slice(0, -20)}${randomUUID().slice(0, 20)}`;
  const { status } = await wire.exchange({ headers: { ...headers, authorization: forged }, body });
  assertSame(status, 401);
}

async function callWithoutScope({ wire, headers }: Visit): Promise<void> {
  const params = { name: 'administer', arguments: {} };
  const { status } = await wire.exchange({
    headers,
    body: format({ id: nextId(), method: 'tools/call', params }),
  });
  assertSame(status, 403);
}
