import type { Socket } from 'node:net';
import { ProbeError } from '../../../lib/core/doctor/probe/probe-wire.js';
import { RawAnswerReader, type RawResponse } from './raw-response.js';
import type { LoadTarget } from './load-target.js';
import { openSocket } from './open-socket.js';

const CUT = 'closed the connection before the response was complete';

interface Waiting {
  readonly resolve: (answer: RawResponse) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A persistent connection, which is opened again if the server closes it. It carries one request at a time. It is a
 * raw socket, because an HTTP client needs more time per request than a fast server and would dominate the
 * measurement.
 */
export class LoadConnection {
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;
  /** Why the connection was closed for good. */
  #end: Error | undefined;

  private constructor(private readonly target: LoadTarget) {}

  /**
   * Connects, or fails with the error of the operating system.
   *
   * @throws {ProbeError} if the connection is not accepted in time, or if a local host name resolves to another machine
   */
  static async open(target: LoadTarget): Promise<LoadConnection> {
    const connection = new LoadConnection(target);
    await connection.#connect();
    return connection;
  }

  /** Sends a request, and returns the complete response. */
  exchange(request: Uint8Array): Promise<RawResponse> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const socket = this.#socket;
    return socket === undefined
      ? this.#connect().then((opened) => this.#send(opened, request))
      : this.#send(socket, request);
  }

  /** Closes the connection for good. Pending requests fail with the reason. */
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

  /** The next request opens a new connection. */
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
