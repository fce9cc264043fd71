import { estimateText } from '../../../../core/protocol/measured-json.js';
import { OutboundError, type OutboundResponse } from '../../../../core/protocol/outbound-message.js';
import type { JsonRpcRequest } from '../../../../core/protocol/json-rpc.js';
import type { MemoryHold } from '../../../memory/memory-hold.js';
import { MemoryLimitError } from '../../../memory/memory-limit.error.js';
import { BatchResponse } from './batch.js';

/** Answers one request; nothing where it was cancelled. */
type Answering = (request: JsonRpcRequest) => Promise<OutboundResponse | undefined>;

/** Seconds in which the other answers of a batch are given. */
const SOON_SECONDS = 5;

/**
 * Gives the answers of a batch as one; nothing where all were cancelled.
 *
 * @param memory counts answers that wait for the others; one that finds no room is an error
 */
export async function answerBatch(
  requests: readonly JsonRpcRequest[],
  answer: Answering,
  memory: MemoryHold | undefined,
): Promise<BatchResponse | undefined> {
  const keep = async (request: JsonRpcRequest): Promise<OutboundResponse | undefined> => {
    const response = await answer(request);
    return response && keepWithin(response, request, memory);
  };
  const responses = await Promise.all(requests.map(keep));
  const answered = responses.filter((response) => response !== undefined);
  return answered.length === 0 ? undefined : new BatchResponse(answered);
}

function keepWithin(
  response: OutboundResponse,
  { id }: JsonRpcRequest,
  memory: MemoryHold | undefined,
): OutboundResponse {
  // All of them together are as much again.
  if (memory === undefined || memory.tryAdd(2 * estimateText(response.json))) return response;
  return new OutboundError(id, new MemoryLimitError(SOON_SECONDS).toJSON(), 200);
}
