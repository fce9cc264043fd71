import { estimateText } from '../../../../core/protocol/measured-json.js';
import { OutboundError, type OutboundResponse } from '../../../../core/protocol/outbound-message.js';
import type { JsonRpcRequest } from '../../../../core/protocol/json-rpc.js';
import type { MemoryHold } from '../../../memory/memory-hold.js';
import type { Refusal } from '../../../telemetry/refusal.interface.js';
import { MemoryLimitError } from '../../../memory/memory-limit.error.js';
import { BatchResponse } from './batch.js';

/** What is done with the requests of a batch. */
export interface Answering {
  /** Answers one request. Returns `undefined` if it was cancelled. */
  answer(request: JsonRpcRequest): Promise<OutboundResponse | undefined>;
  /** Is called with a request that finds no room and does not begin. */
  onRefused(refusal: Pick<Refusal, 'error' | 'message' | 'reason'>): void;
}

/** Requests that begin in one turn of the event loop: their answers are all there at once if their handlers wait for nothing. */
const AT_ONCE = 8;

/** Seconds within which the other answers of a batch are sent. */
const SOON_SECONDS = 5;

/**
 * Returns the answers of a batch as one, or `undefined` if all were cancelled.
 *
 * @param memory counts answers that wait for the others. If there is no room for an answer, it becomes an error, and
 *   requests that have not begun do not begin
 */
export async function answerBatch(
  requests: readonly JsonRpcRequest[],
  { answer, onRefused }: Answering,
  memory: MemoryHold | undefined,
): Promise<BatchResponse | undefined> {
  let isFull = false;
  const keep = async (request: JsonRpcRequest, index: number): Promise<OutboundResponse | undefined> => {
    await waitTurns(Math.floor(index / AT_ONCE));
    if (isFull) {
      const refused = refuse(request);
      onRefused({ error: refused.error, message: request, reason: 'overloaded' });
      return refused;
    }
    const response = await answer(request);
    // All of them together are as much again.
    if (response === undefined || memory?.tryAdd(2 * estimateText(response.json)) !== false) return response;
    isFull = true;
    return refuse(request);
  };
  const responses = await Promise.all(requests.map(keep));
  const answered = responses.filter((response) => response !== undefined);
  return answered.length === 0 ? undefined : new BatchResponse(answered);
}

function refuse({ id }: JsonRpcRequest): OutboundError {
  return new OutboundError(id, new MemoryLimitError(SOON_SECONDS).toJSON(), 200);
}

async function waitTurns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}
