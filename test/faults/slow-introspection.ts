import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';

/** An authorization server that knows some tokens at once, and takes its time for all others. */
export class SlowIntrospection {
  /** Questions about tokens that it does not know, under way now and at most. */
  readonly unknown = { now: 0, most: 0 };
  /** How often it was asked about a token that it knows. */
  known = 0;
  readonly #issued = new Set<string>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(
    private readonly tokens: ReadonlySet<string>,
    private readonly hesitationMs: number,
  ) {}

  static async start(known: readonly string[], hesitationMs: number): Promise<SlowIntrospection> {
    const started = new SlowIntrospection(new Set(known), hesitationMs);
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server, 'listening');
    return started;
  }

  /** Issues tokens, at whose questions it takes its time as at those of others. */
  issue(...tokens: readonly string[]): void {
    for (const token of tokens) this.#issued.add(token);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/introspect`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = new URLSearchParams(await text(request)).get('token') ?? '';
    const isKnown = this.tokens.has(token);
    if (isKnown) this.known += 1;
    else await this.#hesitate();
    const said = { active: true, sub: token, aud: 'https://desk.example.com/mcp', client_id: 'desk-app' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isKnown || this.#issued.has(token) ? said : { active: false }));
  }

  async #hesitate(): Promise<void> {
    this.unknown.now += 1;
    this.unknown.most = Math.max(this.unknown.most, this.unknown.now);
    await delay(this.hesitationMs);
    this.unknown.now -= 1;
  }
}
