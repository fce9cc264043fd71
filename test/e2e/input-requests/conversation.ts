import type { OutgoingHttpHeaders } from 'node:http';
import { ADAPTERS } from '../../support/applications/boot.js';
import { EventStream } from '../../support/clients/event-stream.js';
import {
  initialize,
  perRequest,
  PER_REQUEST_VERSION,
  type SessionClient,
} from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject, type Message } from '../../support/clients/message.js';
import { openHttp, readResponse, sendHttp, type RawResponse } from '../../support/clients/raw-http.js';

/** Everything that a server may ask. */
export const ABLE: JsonObject = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
};

/** A request of the server as the client sees it, on either wire. */
export interface Asked {
  readonly method: string;
  readonly params: JsonObject;
  /** The key among the `inputRequests`; empty in a session. */
  readonly key: string;
}

/** Gives what the client answers to a question. */
export type Respond = (question: Asked) => unknown;

/** A call from its first request to its last answer. */
export interface Conversation {
  readonly asked: readonly Asked[];
  readonly result?: JsonObject;
  readonly error?: NonNullable<Message['error']>;
}

/** What a client calls. */
export interface CallParts {
  /** @default 'tools/call' */
  readonly method?: string;
  readonly params: JsonObject;
  /** @default everything */
  readonly capabilities?: JsonObject;
  /** @default fails: no question is expected */
  readonly respond?: Respond;
}

/** One of the two ways in which a server asks. */
export interface Wire {
  readonly name: string;
  readonly converse: (url: string, parts: CallParts) => Promise<Conversation>;
}

export const SESSION: Wire = { name: 'in a session', converse: converseInSession };
export const STATELESS: Wire = { name: 'on the stateless wire', converse: converseInRounds };

/** Both ways, over both adapters: `describe.each(CASES)('… $name, on $adapter', ({ adapter, converse }) => …)`. */
export const CASES = ADAPTERS.flatMap((adapter) =>
  [SESSION, STATELESS].map((wire) => ({ adapter, ...wire })),
);

const MOST_QUESTIONS = 40;

const expectNone: Respond = ({ method }) => {
  throw new Error(`The client was asked ${method}`);
};

async function converseInSession(url: string, parts: CallParts): Promise<Conversation> {
  const { method = 'tools/call', params, capabilities = ABLE, respond = expectNone } = parts;
  const session = await initialize(url, { capabilities });
  const opened = await openCall(session, { id: 'call', method, params });
  if (!(opened instanceof EventStream)) return { asked: [], ...outcomeOf(opened.json as Message) };
  const asked: Asked[] = [];
  for (;;) {
    const message = await opened.nextMessage(({ id }) => id !== undefined);
    if (message.method === undefined) return { asked, ...outcomeOf(message) };
    const question = { method: message.method, params: message.params ?? {}, key: '' };
    asked.push(question);
    await answer(session, message, respond(question));
  }
}

async function converseInRounds(url: string, parts: CallParts): Promise<Conversation> {
  const { method = 'tools/call', params, capabilities = ABLE, respond = expectNone } = parts;
  const client = perRequest(url, { capabilities });
  const asked: Asked[] = [];
  let round: JsonObject = {};
  while (asked.length < MOST_QUESTIONS) {
    const { result, error } = await client.request(method, { ...params, ...round });
    if (result?.['resultType'] !== 'input_required') {
      return { asked, ...(result && { result }), ...(error && { error }) };
    }
    const questions = questionsOf(result);
    asked.push(...questions);
    round = {
      inputResponses: Object.fromEntries(questions.map((question) => [question.key, respond(question)])),
      requestState: result['requestState'],
    };
  }
  throw new Error(`The server asked ${MOST_QUESTIONS} questions without an end`);
}

/** Gives the questions of an `input_required` result. */
export function questionsOf({ inputRequests }: JsonObject): Asked[] {
  return Object.entries((inputRequests ?? {}) as Record<string, Omit<Asked, 'key'>>).map(
    ([key, { method, params }]) => ({ key, method, params: params ?? {} }),
  );
}

/** Sends a request in a session and gives its answer as it comes: a stream, or all of it. */
export async function openCall(
  session: SessionClient,
  message: JsonObject,
  headers: OutgoingHttpHeaders = {},
): Promise<EventStream | RawResponse> {
  const response = await openHttp(session.url, {
    json: { jsonrpc: '2.0', ...message },
    headers: { accept: 'application/json, text/event-stream', ...session.headers, ...headers },
  });
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
  return isStream ? new EventStream(response) : readResponse(response);
}

/** Waits for the next question on a stream. */
export function nextQuestion(stream: EventStream, method?: string): Promise<Message> {
  return stream.nextMessage(
    (message) =>
      message.method !== undefined &&
      message.id !== undefined &&
      (method === undefined || message.method === method),
  );
}

/** Waits for the response on a stream. */
export function nextResponse(stream: EventStream): Promise<Message> {
  return stream.nextMessage((message) => 'result' in message || 'error' in message);
}

/** Answers a question in a session. */
export function answer(session: SessionClient, { id }: Message, result: unknown): Promise<RawResponse> {
  return session.post({ jsonrpc: '2.0', id, result });
}

/** Calls a tool on the stateless wire with more members as they are written, where JSON is not made of objects. */
export async function callAsWritten(url: string, members: string, name = 'ask'): Promise<Message> {
  const meta = { [metaKey('protocolVersion')]: PER_REQUEST_VERSION, [metaKey('clientCapabilities')]: ABLE };
  const params = `{"name":"${name}","_meta":${JSON.stringify(meta)},${members}}`;
  const { json } = await sendHttp(url, {
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PER_REQUEST_VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
  });
  return json as Message;
}

/** Gives the text of a tool result. */
export function textOf(outcome: { readonly result?: JsonObject | undefined }): string | undefined {
  const content = outcome.result?.['content'] as { readonly text?: string }[] | undefined;
  return content?.[0]?.text;
}

/** Builds what a client answers to a form that its user filled in. */
export function accept(content: JsonObject): JsonObject {
  return { action: 'accept', content };
}

function outcomeOf({ result, error }: Message): Omit<Conversation, 'asked'> {
  return { ...(result && { result }), ...(error && { error }) };
}
