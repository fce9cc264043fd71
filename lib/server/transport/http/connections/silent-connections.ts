import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A server's connections come by the one event, and by the other once they are encrypted. */
const EVENTS = ['connection', 'secureConnection'] as const;

/** How often it is looked which have begun to speak, or are gone: nothing else is done for a connection. */
const LOOK_MS = 1000;

/**
 * Knows the connections of a server that have carried nothing yet. Some clients open spare connections (undici does if a
 * stream is aborted). For Node these are not idle, so a closing server would wait for them without a time-out.
 */
export class SilentConnections {
  /** When each of them came. */
  readonly #since = new Map<Socket, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Partial<Pick<Server, 'on'>>) {
    for (const event of EVENTS) server.on?.(event, (socket: Socket) => this.#add(socket));
  }

  /** Ends those over which nothing has come for so long: what is on its way has the time to arrive. */
  end(quietMs: number): void {
    const latest = performance.now() - quietMs;
    this.#look();
    for (const [socket, since] of this.#since) if (since < latest) socket.destroy();
  }

  #add(socket: Socket): void {
    this.#since.set(socket, performance.now());
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  #look(): void {
    for (const socket of this.#since.keys()) {
      if (socket.bytesRead > 0 || socket.destroyed) this.#since.delete(socket);
    }
    if (this.#since.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
