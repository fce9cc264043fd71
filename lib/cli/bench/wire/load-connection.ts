import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ProbeError } from '../../../core/doctor/probe/probe.error.js';
import { RawAnswerReader, type RawAnswer } from './raw-answer.js';
import type { LoadTarget } from './load-target.js';

const CONNECT_MS = 5000;

/** Addresses of this machine, as sockets tell them. */
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

const CUT = 'closed the connection before its answer was whole';
const ELSEWHERE =
  'is not on this machine, although its name says so: give "--remote" if you may put load on it';

interface Waiting {
  readonly resolve: (answer: RawAnswer) => void;
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
  exchange(request: Uint8Array): Promise<RawAnswer> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const socket = this.#socket;
    return socket === undefined
      ? this.#connect().then((opened) => this.#send(opened, request))
      : this.#send(socket, request);
  }

  /** Lets the connection go for good; who waits for an answer is told why there is none. */
  destroy(reason: Error = new ProbeError(CUT)): void {
    this.#end ??= reason;
    this.#socket?.destroy();
    this.#fail(reason);
  }

  #send(socket: Socket, request: Uint8Array): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      socket.write(request);
    });
  }

  async #connect(): Promise<Socket> {
    const socket = await openSocket(this.target);
    const isHere = this.target.isRemote || LOOPBACK.test(socket.remoteAddress ?? '');
    if (this.#end !== undefined || !isHere) {
      socket.destroy();
      throw this.#end ?? new ProbeError(ELSEWHERE);
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

  #receive(socket: Socket, read: () => RawAnswer | undefined): void {
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

function openSocket({ url }: LoadTarget): Promise<Socket> {
  // The brackets of an IPv6 address belong to the URL.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const socket = isSecure
    ? connectTls({ host, port, servername: host, ALPNProtocols: ['http/1.1'] })
    : connectPlain({ host, port });
  socket.setNoDelay(true);
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => socket.destroy(new ProbeError('did not take the connection in time')),
      CONNECT_MS,
    );
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(late));
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(late);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
