import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SERVED_BY } from '../processes/balancer.js';

/** Who answered, and what. */
export interface Answer {
  readonly text: string;
  /** How often the call was made again, since it failed before. */
  readonly repeats: number;
}

/** The official client as it comes, which has a session and keeps its stream. It knows nothing of processes; its `fetch` looks for who answers. */
export class Passenger {
  /** The numbers of the announcements that it heard, in order. */
  readonly heard: number[] = [];
  /** The process of the stream that it listens by; the latest is the last. */
  readonly streams: string[] = [];
  /** The process that took the latest answer to a question. */
  answeredThrough: string | undefined;
  readonly #client: Client;

  private constructor() {
    this.#client = new Client({ name: 'passenger', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    this.#client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { class: 'cabin' },
    }));
    this.#client.setNotificationHandler('notifications/message', ({ params }) => {
      this.heard.push((params.data as { number: number }).number);
    });
  }

  static async arrive(url: URL): Promise<Passenger> {
    const passenger = new Passenger();
    const fetch: typeof globalThis.fetch = (input, init) => passenger.#fetch(input, init);
    await passenger.#client.connect(new StreamableHTTPClientTransport(url, { fetch }));
    return passenger;
  }

  /** Calls a tool once. */
  async call(name: string, given: object = {}, onProgress?: (message: string) => void): Promise<string> {
    const { content } = await this.#client.callTool(
      { name, arguments: { ...given } },
      { ...(onProgress && { onprogress: ({ message = '' }) => onProgress(message) }) },
    );
    const [first] = content;
    return first?.type === 'text' ? first.text : '';
  }

  /** Calls a tool, and once more if that fails, as every client on a network has to. */
  async callTwice(name: string, given: object): Promise<Answer> {
    try {
      return { text: await this.call(name, given), repeats: 0 };
    } catch {
      return { text: await this.call(name, given), repeats: 1 };
    }
  }

  async leave(): Promise<void> {
    await this.#client.close();
  }

  async #fetch(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
    const response = await fetch(input, init);
    const servedBy = response.headers.get(SERVED_BY) ?? '';
    const isStanding = init.method === 'GET' && response.ok;
    if (isStanding) this.streams.push(servedBy);
    if (typeof init.body === 'string' && 'result' in JSON.parse(init.body)) this.answeredThrough = servedBy;
    return response;
  }
}
