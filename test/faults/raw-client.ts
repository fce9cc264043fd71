import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { within } from '../support/until.js';

/** A connection on which a test writes what it likes, whenever it likes. */
export class RawClient {
  /** All that came back. */
  received = '';
  /** Resolves when the connection is gone, by whichever side. */
  readonly closed: Promise<void>;

  private constructor(readonly socket: Socket) {
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
  }

  static async open(port: number): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const client = new RawClient(socket);
    await within(once(socket, 'connect'), 'a connection');
    return client;
  }

  /** The statuses of the responses so far. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  write(text: string): this {
    if (!this.socket.destroyed) this.socket.write(text);
    return this;
  }

  /** Reads nothing more. */
  stall(): this {
    this.socket.pause();
    return this;
  }

  /** Ends the connection as a process that is killed, or a device that forgot it: with RST. */
  reset(): void {
    this.socket.resetAndDestroy();
  }
}

/** Opens so many connections, some at a time, and does with each what it is opened for at once. */
export async function openMany(
  port: number,
  count: number,
  begin: (client: RawClient, index: number) => void = () => undefined,
): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  const open = async (_: unknown, offset: number) => {
    const index = clients.length + offset;
    const client = await RawClient.open(port);
    begin(client, index);
    return client;
  };
  while (clients.length < count) {
    clients.push(...(await Promise.all(Array.from({ length: Math.min(100, count - clients.length) }, open))));
  }
  return clients;
}

/** Gives each of them a byte of its own text, over and over, until all are closed or have written all. */
export async function dripAll(
  drips: readonly { readonly client: RawClient; readonly text: string }[],
  periodMs: number,
): Promise<void> {
  let position = 0;
  const timer = setInterval(() => {
    for (const { client, text } of drips) if (position < text.length) client.write(text.charAt(position));
    position += 1;
  }, periodMs);
  await Promise.all(drips.map(({ client }) => client.closed)).finally(() => clearInterval(timer));
}
