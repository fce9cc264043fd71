import { expect } from '@jest/globals';
import { perRequest } from '../support/clients/json-rpc.js';
import type { EdgeProgram } from './edge-program.js';

/** No test lasts this long: a server with this time-out cuts nobody off. */
export const ENDLESS_MS = 240_000;

/** Expects a server to answer a caller while it holds so many slow connections, all of them before and after the answer. */
export async function expectServedBeside(program: EdgeProgram, slow: number): Promise<void> {
  // The question for the figures has a connection of its own.
  const holdsAll = () => program.holds(({ sockets }) => sockets === slow + 1, `${slow} slow connections`);
  await holdsAll();
  const { status } = await perRequest(program.url).request('tools/call', { name: 'greet', arguments: {} });
  expect(status).toBe(200);
  await holdsAll();
}
