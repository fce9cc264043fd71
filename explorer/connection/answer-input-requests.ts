import type {
  Client,
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
} from '@modelcontextprotocol/client';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import type { Elicited, InputRequests } from './input-requests.js';

/** The page's user, and the facts that its client reports. */
export interface Answerer {
  readonly inputRequests: InputRequests;
  /** The folders to report. */
  readonly roots: readonly string[];
}

/** Shows the server's input requests to the page's user. */
export function answerInputRequests(client: Client, answerer: Answerer): void {
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq: { signal } }) =>
    askForm(answerer, params, signal),
  );
  client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq: { signal } }) =>
    askModel(answerer, params, signal),
  );
  client.setRequestHandler('roots/list', () => listRoots(answerer));
}

/**
 * Responds to a task's input request.
 *
 * @throws {Error} if the page does not support its method, or the user declines a sampling request
 */
export async function answerInputRequest(
  answerer: Answerer,
  question: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { method, params } = isObject(question) ? question : {};
  if (method !== 'roots/list' && !isObject(params))
    throw new Error('The page does not support this input request.');
  switch (method) {
    case 'elicitation/create':
      return askForm(answerer, params as ElicitRequest['params'], signal);
    case 'sampling/createMessage':
      return askModel(answerer, params as CreateMessageRequest['params'], signal);
    case 'roots/list':
      return listRoots(answerer);
    default:
      throw new Error('The page does not support this input request.');
  }
}

function askForm(
  { inputRequests }: Answerer,
  params: ElicitRequest['params'],
  signal: AbortSignal,
): Promise<Elicited> {
  const withdrawn = { action: 'cancel' } as const;
  return inputRequests.ask<Elicited>((answer) => ({ kind: 'elicitation', params, answer }), {
    signal,
    withdrawn,
  });
}

async function askModel(
  { inputRequests }: Answerer,
  params: CreateMessageRequest['params'],
  signal: AbortSignal,
): Promise<CreateMessageResult> {
  const text = await inputRequests.ask<string | undefined>(
    (answer) => ({ kind: 'sampling', params, answer }),
    {
      signal,
      withdrawn: undefined,
    },
  );
  if (text === undefined) throw new Error('The user declined the request.');
  return { role: 'assistant', content: { type: 'text', text }, model: 'person', stopReason: 'endTurn' };
}

function listRoots({ roots }: Answerer) {
  return { roots: roots.map((uri) => ({ uri })) };
}
