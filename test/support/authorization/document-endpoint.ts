import type { IncomingMessage, ServerResponse } from 'node:http';

/** An answer as a test wants it. */
interface GivenAnswer {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** What is no text is sent as JSON. */
  readonly body?: unknown;
}

type Behavior = (response: ServerResponse) => void;

/** Serves one JSON document, until it is told to behave otherwise. */
export class DocumentEndpoint {
  /** The requests so far. */
  fetches = 0;
  /** When each of them came, in milliseconds of the monotonic clock. */
  readonly fetchedAt: number[] = [];
  /** The headers of the last request. */
  lastHeaders: IncomingMessage['headers'] = {};
  readonly #healthy: Behavior;
  #behavior: Behavior;

  constructor(getDocument: () => unknown) {
    this.#healthy = (response) => send(response, { body: getDocument() });
    this.#behavior = this.#healthy;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.fetches += 1;
    this.fetchedAt.push(performance.now());
    this.lastHeaders = request.headers;
    this.#behavior(response);
  }

  /** Answers as it should, again. */
  recover(): void {
    this.#behavior = this.#healthy;
  }

  /** Answers with an error. */
  breakDown(status = 500): void {
    this.answer({ status, body: { error: 'server_error' } });
  }

  /** Cuts connections off. */
  cutOff(): void {
    this.#behavior = (response) => response.destroy();
  }

  /** Takes requests and never answers. */
  hang(): void {
    this.#behavior = () => undefined;
  }

  /** Sends the beginning of an answer and nothing more. */
  stall(): void {
    this.#behavior = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"keys":[');
    };
  }

  /** Sends JSON without an end, as long as somebody reads it. */
  overflow(): void {
    this.#behavior = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"keys":[');
      const more = () => {
        while (response.writable && response.write('0,'.repeat(16_384)));
      };
      response.on('drain', more).on('error', () => undefined);
      more();
    };
  }

  /** Gives this answer from now on. */
  answer(given: GivenAnswer): void {
    this.#behavior = (response) => send(response, given);
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: GivenAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
