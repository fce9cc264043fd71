import type { McpError } from '../../../core/protocol/mcp.error.js';
import { OutboundError } from '../../../core/protocol/outbound-message.js';
import type { Authentication } from '../../context/authentication.js';
import type { HttpRequest } from '../../telemetry/network.js';
import type { Refusal } from '../../telemetry/refusal.js';
import type { AnswerMessage } from './replies/answer-message.interface.js';

/** A request that may be refused. */
export interface RefusableExchange extends HttpRequest {
  readonly authentication?: Authentication | undefined;
  readonly startedAt?: number | undefined;
  readonly bodyBytes?: number | undefined;
  readonly isAnswered: boolean;
  readonly response: { removeHeader(name: string): void };
  isRefusing: boolean;
  /** Is called if the request is refused. Its promise may return another answer to send instead. */
  onRefused: ((refusal: Refusal) => Promise<McpError | undefined> | undefined) | undefined;
  sendMessage(status: number, message: AnswerMessage): void;
}

/** Facts about a refusal that its answer does not show. */
export type RefusalDetails = Omit<Refusal, 'http' | 'error' | 'status'>;

/** Answers with a refusal, after it was recorded. */
export function sendRefusal(
  exchange: RefusableExchange,
  details: RefusalDetails,
  answer: OutboundError,
): void {
  if (exchange.isAnswered) return;
  const { httpStatus: status, error } = answer;
  const answerBytes = exchange.startedAt === undefined ? undefined : Buffer.byteLength(answer.json);
  const kept = noteRefusal(exchange, { ...details, status, error, answerBytes });
  if (kept === undefined) return exchange.sendMessage(status, answer);
  exchange.isRefusing = true;
  void kept.then((failure) => sendKept(exchange, answer, failure));
}

/** Tells the recorder that a request, or a part of it, is refused. */
export function noteRefusal(
  exchange: RefusableExchange,
  refusal: Omit<Refusal, 'http'>,
): Promise<McpError | undefined> | undefined {
  const { authentication, startedAt, bodyBytes: requestBytes } = exchange;
  return exchange.onRefused?.({ authentication, startedAt, requestBytes, ...refusal, http: exchange });
}

function sendKept(exchange: RefusableExchange, answer: OutboundError, failure: McpError | undefined): void {
  exchange.isRefusing = false;
  if (failure === undefined) return exchange.sendMessage(answer.httpStatus, answer);
  const { httpStatus = 500 } = failure;
  if (!exchange.isAnswered) exchange.response.removeHeader('WWW-Authenticate');
  exchange.sendMessage(httpStatus, new OutboundError(answer.id, failure.toJSON(), httpStatus));
}
