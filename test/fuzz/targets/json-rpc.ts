import { isObject, isRequestId } from '../../../lib/core/protocol/json-rpc.js';
import { McpError } from '../../../lib/core/protocol/mcp.error.js';
import { findRequestId, parseJson, parseMessage } from '../../../lib/core/protocol/parse-message.js';
import { parseBatch } from '../../../lib/server/transport/http/handlers/requests.js';
import { assertHolds, assertSame, parseWith } from '../contract.js';

const CODES: readonly unknown[] = [-32700, -32600, -32602];
const LARGEST_BATCH = 8;

/** Parses the body of a request: one message of JSON-RPC, or a batch. */
export function fuzz(bytes: Buffer): void {
  const read = parseWith(() => parseJson(bytes.toString()), McpError);
  if ('error' in read) return assertRefused(read.error);
  const { value } = read;
  const id = findRequestId(value);
  assertHolds(id === undefined || isRequestId(id), 'an id that an answer carries is a string or an integer');
  if (Array.isArray(value)) {
    const batch = parseWith(() => parseBatch(value, LARGEST_BATCH), McpError);
    if ('error' in batch) assertRefused(batch.error);
    else
      assertHolds(batch.value.length === value.length && value.length <= LARGEST_BATCH, 'a batch is whole');
    return;
  }
  const parsed = parseWith(() => parseMessage(value), McpError);
  if ('error' in parsed) return assertRefused(parsed.error);
  assertMessage(parsed.value);
  const again = parseMessage(parseJson(JSON.stringify(parsed.value.message)));
  assertSame(again, parsed.value, 'a message that is written and parsed again is the same');
}

function assertMessage({ kind, message }: ReturnType<typeof parseMessage>): void {
  assertHolds(message.jsonrpc === '2.0', 'a message is of JSON-RPC 2.0');
  if (kind === 'response') return assertHolds(!('method' in message), 'a response has no method');
  assertHolds(typeof message.method === 'string' && message.method !== '', 'a call has a method');
  assertHolds(message.params === undefined || isObject(message.params), 'parameters are named');
  assertHolds('id' in message === (kind === 'request'), 'a request has an id, a notification has none');
}

function assertRefused(error: Error): void {
  const { code, httpStatus } = error as McpError;
  assertHolds(CODES.includes(code) && httpStatus === 400, 'what is no message is refused with 400');
}
