import type { EventStream } from '../support/clients/event-stream.js';
import { metaKey, type JsonObject, type Message } from '../support/clients/message.js';
import { format, nextId } from './visit.js';
import { Refusal, type Outgoing, type Wire } from './wire.js';

const VERSION = '2026-07-28';
const CAPABILITIES = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** The parameters that the header `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/cancel': 'taskId',
};

/** A client of 2026-07-28, which says all that there is to say in each request. */
export class StatelessCaller {
  constructor(
    private readonly wire: Wire,
    private readonly token: string,
  ) {}

  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = nextId();
    const answer = await this.wire.exchange(this.#build(id, method, params));
    const response = answer.messages.find((message) => message.id === id);
    if (response?.result !== undefined) return response.result;
    throw new Refusal(answer);
  }

  /** Makes a request whose answer is a stream, and waits for the first message that fits. */
  async open(
    method: string,
    params: JsonObject,
    isAwaited: (message: Message) => boolean = () => true,
  ): Promise<EventStream> {
    const stream = await this.wire.openStream({
      ...this.#build(nextId(), method, params),
      longRunning: true,
    });
    await stream.nextMessage(isAwaited, 20_000);
    return stream;
  }

  #build(id: number, method: string, params: JsonObject): Outgoing {
    const name = params[NAMED_BY[method] ?? ''];
    const meta = {
      [metaKey('protocolVersion')]: VERSION,
      [metaKey('clientCapabilities')]: CAPABILITIES,
      [metaKey('clientInfo')]: { name: 'soak', version: '1.0.0' },
    };
    return {
      headers: {
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${this.token}`,
        'mcp-protocol-version': VERSION,
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
      },
      body: format({ id, method, params: { ...params, _meta: { ...meta, ...(params['_meta'] as object) } } }),
    };
  }
}
