import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SELF_SIGNED } from './self-signed.js';
import { until } from './until.js';

/** What a receiver got. */
export interface ReceivedWebhook {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: { readonly [member: string]: unknown };
  /** When it came, in milliseconds of the monotonic clock. */
  readonly at: number;
  /** Differs by connection. */
  readonly remotePort: number | undefined;
}

type Behavior = (response: ServerResponse, received: ReceivedWebhook) => void;

interface ReceiverOptions {
  /** Speaks HTTPS with a certificate of `localhost` that nobody else has signed. */
  readonly isSecure?: boolean;
  /** @default '127.0.0.1' */
  readonly host?: string;
}

/** A secret as a subscriber makes it. */
export const WEBHOOK_SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;

/** Wants to be sent everything, keeps it, and answers 200 until it is told to behave otherwise. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** The questions whether it wants to be sent anything. */
  readonly asked: ReceivedWebhook[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server;
  #behavior: Behavior = (response) => response.end();
  #confirmation: Behavior = (response, { json }) =>
    response.end(JSON.stringify({ challenge: json['challenge'] }));

  private constructor(private readonly options: ReceiverOptions) {
    const listener = (request: IncomingMessage, response: ServerResponse) =>
      void this.#receive(request, response);
    this.#server = options.isSecure ? createSecureServer(SELF_SIGNED, listener) : createServer(listener);
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(options);
    receiver.#server.listen(0, options.host ?? '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return this.options.isSecure
      ? `https://localhost:${this.port}/hook`
      : `http://${this.options.host ?? '127.0.0.1'}:${this.port}/hook`;
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Events as they came, without what tells of gaps. */
  get events(): unknown[] {
    return this.received.filter(({ json }) => json['type'] === undefined).map(({ json }) => json['n']);
  }

  /** Answers so from now on. */
  behave(behavior: Behavior): void {
    this.#behavior = behavior;
  }

  /** Answers so from now on when it is asked whether it wants to be sent anything. */
  confirm(behavior: Behavior): void {
    this.#confirmation = behavior;
  }

  /** Answers with these statuses in turn, then with 200. */
  answer(...statuses: number[]): void {
    const left = [...statuses];
    this.behave((response) => response.writeHead(left.shift() ?? 200).end());
  }

  /** Waits until so many requests have come. */
  async take(count: number): Promise<readonly ReceivedWebhook[]> {
    await until(() => this.received.length >= count, `${count} webhooks`);
    return this.received;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await until(() => !this.#server.listening, 'the end of the receiver');
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const text = String(await buffer(request));
    const { headers, url = '' } = request;
    const { remotePort } = request.socket;
    const received = { url, headers, text, json: JSON.parse(text), at: performance.now(), remotePort };
    const isQuestion = received.json['type'] === 'verification';
    (isQuestion ? this.asked : this.received).push(received);
    (isQuestion ? this.#confirmation : this.#behavior)(response, received);
  }
}

/** Verifies by Web Crypto that one of the signatures is of this secret. */
export async function verifyWebhook({ headers, text }: ReceivedWebhook, secret: string): Promise<boolean> {
  const raw = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
  const signed = Buffer.from([headers['webhook-id'], headers['webhook-timestamp'], text].join('.'));
  const signatures = String(headers['webhook-signature']).split(' ');
  const verified = signatures.map(async (signature) => {
    const [version, value = ''] = signature.split(',');
    return version === 'v1' && crypto.subtle.verify('HMAC', key, Buffer.from(value, 'base64'), signed);
  });
  return (await Promise.all(verified)).includes(true);
}
