import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ReportEvent } from './follow-events.js';
import { show } from './terminal.js';
import { isGenuine } from './verify-webhook.js';

/** Somebody who is called when something happens, and believes nothing that is not signed. */
export class WebhookReceiver {
  /** What it and the report office know, and nobody else. */
  readonly secret = `whsec_${randomBytes(32).toString('base64')}`;
  /** The numbers of the reports that were told of. */
  readonly numbers: string[] = [];
  readonly #server = createServer((request, response) => void this.#receive(request, response));
  /** A webhook may come twice, under the same id. */
  readonly #seen = new Set<string>();

  async start(): Promise<URL> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    return new URL(`http://127.0.0.1:${port}/reports`);
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (!isGenuine(request.headers, body, this.secret)) {
      show('Webhook', 'refused: the signature is not that of the report office');
      response.writeHead(401).end();
      return;
    }
    const message = JSON.parse(String(body)) as { type?: string; challenge?: string };
    if (message.type === undefined) this.#take(message as unknown as ReportEvent);
    else show('Webhook', `signed, of the type "${message.type}"`);
    // Whoever gives the challenge back says that it wants to be called.
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ challenge: message.challenge }));
  }

  #take({ eventId, name, data }: ReportEvent): void {
    if (this.#seen.has(eventId)) return;
    this.#seen.add(eventId);
    this.numbers.push(data.number);
    show('Webhook', `${name}: ${data.number}, "${data.topic}", and the signature is right`);
  }
}
