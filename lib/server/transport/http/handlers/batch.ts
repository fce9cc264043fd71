import type { JsonRpcNotification, JsonRpcRequest } from '../../../../core/protocol/json-rpc.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import {
  ChallengingResponse,
  type OutboundMessage,
  type OutboundResponse,
} from '../../../../core/protocol/outbound-message.js';
import { parseMessage, type InboundMessage } from '../../../../core/protocol/parse-message.js';
import { carriesClaim } from '../../../../core/protocol/headers/per-request-claim.js';

/**
 * Parses the elements of a JSON-RPC batch.
 *
 * @throws {McpError} -32600 if the batch as a whole must be refused
 * @see MCP 2025-03-26 basic, "Batching"
 */
export function parseBatch(values: readonly unknown[], maximum: number): readonly InboundMessage[] {
  if (values.length === 0) throw McpError.invalidRequest('a batch must not be empty');
  if (values.length > maximum) {
    throw McpError.invalidRequest(`a batch may have ${maximum} messages at most`);
  }
  const messages = values.map(parseMessage);
  for (const inbound of messages) if (inbound.kind !== 'response') assertBatchable(inbound.message);
  return messages;
}

function assertBatchable(message: JsonRpcRequest | JsonRpcNotification): void {
  if (message.method === 'initialize') {
    throw McpError.invalidRequest('"initialize" must not be part of a batch');
  }
  if (carriesClaim(message)) {
    throw McpError.invalidRequest('the revision that a message names has no batches');
  }
}

/** The responses of a batch as one message. */
export class BatchResponse implements OutboundMessage {
  readonly httpStatus: number;
  /** The challenge of the first response that has one: the whole answer is a refusal then. */
  readonly wwwAuthenticate: string | undefined;
  #json: string | undefined;

  constructor(private readonly responses: readonly OutboundResponse[]) {
    const refused = responses.find((response) => response instanceof ChallengingResponse);
    this.httpStatus = refused?.httpStatus ?? 200;
    this.wwwAuthenticate = refused?.wwwAuthenticate;
  }

  get json(): string {
    this.#json ??= `[${this.responses.map((response) => response.json).join(',')}]`;
    return this.#json;
  }
}
