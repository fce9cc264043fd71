import { StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { showMessage } from './terminal.js';

type Sending = StreamableHTTPClientTransport['send'];

/** The official transport, which also tells what passes between client and server during a tool call. */
export class NarratedTransport extends StreamableHTTPClientTransport {
  /** Methods of the requests that are not answered yet, by direction and id. */
  readonly #open = new Map<string, string>();

  constructor(url: URL) {
    super(url);
    this.onmessage = (message: JSONRPCMessage) => this.#narrate('<--', message);
  }

  override async send(...[message, options]: Parameters<Sending>): Promise<void> {
    for (const one of [message].flat()) this.#narrate('-->', one);
    await super.send(message, options);
  }

  #narrate(direction: '-->' | '<--', message: JSONRPCMessage): void {
    if ('method' in message) {
      const { method, params } = message;
      if (!('id' in message) || !ASKING.has(method)) return;
      this.#open.set(`${direction} ${message.id}`, method);
      showMessage(direction, describeRequest(method, params ?? {}));
      return;
    }
    const key = `${direction === '-->' ? '<--' : '-->'} ${message.id}`;
    const method = this.#open.get(key);
    this.#open.delete(key);
    if (method !== undefined) showMessage(direction, describeResponse(method, message));
  }
}

const ASKING: ReadonlySet<string> = new Set([
  'tools/call',
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
]);

function describeRequest(method: string, params: Record<string, unknown>): string {
  const { name, inputResponses } = params;
  const answered = typeof inputResponses === 'object' ? Object.keys(inputResponses ?? {}) : [];
  const what = typeof name === 'string' ? `${method} ${name}` : `request ${method}`;
  return answered.length === 0 ? what : `${what}, once more, with the answers: ${answered.join(', ')}`;
}

function describeResponse(method: string, message: object): string {
  if ('error' in message) return `error: ${(message.error as { message: string }).message}`;
  const { result } = message as { result: { resultType?: string; inputRequests?: object } };
  if (result.resultType !== 'input_required') return `response to ${method}`;
  return `response to ${method}: input_required, with the questions: ${Object.keys(result.inputRequests ?? {}).join(', ')}`;
}
