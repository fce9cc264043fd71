import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { awaitRest } from '../bodies/await-rest.js';
import { breakOffUnread } from '../connections/unread-answers.js';
import { keepFromCaches } from '../replies/answer-headers.js';

/** An answer as a whole. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<OutgoingHttpHeaders>;
  readonly body: Buffer | string;
}

/**
 * Sends an answer, unless there is one already.
 *
 * @param transferTimeoutMs milliseconds that its client may take to read it, and to send a body that nobody reads
 */
export function sendAnswer(
  response: ServerResponse,
  { status, headers, body }: WholeAnswer,
  transferTimeoutMs: number,
): void {
  // A guard may have answered by itself.
  if (response.headersSent || response.writableEnded) return;
  keepFromCaches(response, response.req.method);
  response.writeHead(status, { ...headers }).end(body);
  breakOffUnread(response, transferTimeoutMs);
  const { req: request } = response;
  if (!request.complete) awaitRest(request, transferTimeoutMs, () => request.destroy());
}
