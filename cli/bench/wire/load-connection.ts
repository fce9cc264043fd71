import type { Socket } from 'node:net';
import { ProbeError } from '../../../lib/core/doctor/probe/probe-wire.js';
import { RawAnswerReader, type RawResponse } from './raw-response.js';
import type { LoadTarget } from './load-target.js';
import { openSocket } from './open-socket.js';

const CUT = 'closed the connection before the whole answer arrived';

interface Waiting {
  readonly resolve: (answer: RawResponse) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A connection that is kept, and opened again if the server lets it go. It carries one request at a time. It is a bare socket: a
 * client of HTTP takes longer for a request than fast servers do, and would be what is measured.
 */
export class LoadConnection {
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;
  /** Why nothing is sent any more. */
  #end: Error | undefined;

  private constructor(private readonly target: LoadTarget) {}

  /**
   * Connects, or fails as the system says.
   *
   * @throws {ProbeError} if that takes too long, or leads to another machine although the name is of this one
   */
  static async open(target: LoadTarget): Promise<LoadConnection> {
    const connection = new LoadConnection(target);
    await connection.#connect();
    return connection;
  }

  /** Sends a request, and gives its whole answer. */
  exchange(request: Uint8Array): Promise<RawResponse> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const socket = this.#socket;
    return socket === undefined
      ? this.#connect().then((opened) => this.#send(opened, request))
      : this.#send(socket, request);
  }

  /** Closes the connection for good. Waiting requests fail with the reason. */
  destroy(reason: Error = new ProbeError(CUT)): void {
    this.#end ??= reason;
    this.#socket?.destroy();
    this.#fail(reason);
  }

  #send(socket: Socket, request: Uint8Array): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      socket.write(request);
    });
  }

  async #connect(): Promise<Socket> {
    const socket = await openSocket(this.target);
    if (this.#end !== undefined) {
      socket.destroy();
      throw this.#end;
    }
    const answers = new RawAnswerReader();
    const forget = (error: Error) => {
      if (this.#socket === socket) this.#socket = undefined;
      this.#fail(error);
    };
    socket.on('data', (chunk: Buffer) => this.#receive(socket, () => answers.read(chunk)));
    socket.on('end', () => this.#receive(socket, () => answers.finish()));
    socket.on('error', forget);
    socket.on('close', () => forget(new ProbeError(CUT)));
    this.#socket = socket;
    return socket;
  }

  #receive(socket: Socket, read: () => RawResponse | undefined): void {
    try {
      const answer = read();
      if (answer === undefined) return;
      if (/\r\nconnection:[ \t]*close/i.test(answer.head)) this.#letGo(socket);
      const { resolve } = this.#waiting ?? {};
      this.#waiting = undefined;
      resolve?.(answer);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  /** The next request gets a connection of its own. */
  #letGo(socket: Socket): void {
    socket.removeAllListeners();
    socket.on('error', () => undefined);
    socket.destroy();
    this.#socket = undefined;
  }

  #fail(error: Error): void {
    const { reject } = this.#waiting ?? {};
    this.#waiting = undefined;
    reject?.(error);
  }
}
