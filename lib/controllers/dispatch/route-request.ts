import { IncomingMessage, ServerResponse, type IncomingHttpHeaders } from 'node:http';
import { Duplex } from 'node:stream';

/** The parts of a request to a route. */
export interface RequestParts {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body?: Buffer | undefined;
}

/** What routes and the packages they use read from a connection, and the methods they call on a TLS connection. */
const FACTS = [
  ...['remoteAddress', 'remotePort', 'remoteFamily', 'localAddress', 'localPort'],
  ...['encrypted', 'authorized', 'alpnProtocol'],
  ...['getPeerCertificate', 'getPeerX509Certificate', 'getCipher', 'getProtocol'],
];

/** A connection without a peer. It has the address and certificate of the caller's connection. */
class RouteSocket extends Duplex {
  readonly address = () => ({});
  readonly setTimeout = () => this;
  readonly setNoDelay = () => this;
  readonly setKeepAlive = () => this;
  readonly ref = () => this;
  readonly unref = () => this;

  constructor(caller: object | null | undefined) {
    super();
    if (caller === undefined || caller === null) return;
    for (const name of FACTS) Object.assign(this, readFact(caller, name));
  }

  override _read(): void {
    // Bodies are read from the request.
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}

function readFact(caller: object, name: string): object {
  const value: unknown = Reflect.get(caller, name);
  if (value === undefined) return {};
  return { [name]: typeof value === 'function' ? (value.bind(caller) as unknown) : value };
}

/** A Node request that was not sent by a client. */
export class RouteRequest extends IncomingMessage {
  /** @param caller the caller's connection, whose address the request reports */
  constructor({ method, url, headers, body }: RequestParts, caller: object | null | undefined) {
    super(new RouteSocket(caller) as unknown as ConstructorParameters<typeof IncomingMessage>[0]);
    this.method = method;
    this.url = url;
    this.httpVersion = '1.1';
    this.httpVersionMajor = 1;
    this.httpVersionMinor = 1;
    this.headers = headers;
    this.rawHeaders = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().flatMap((one) => [name, one]),
    );
    this.complete = true;
    // Express replaces the prototype, so methods cannot be overridden; the body is therefore present from the start.
    if (body !== undefined) this.push(body);
    this.push(null);
  }
}

/** Collects a response instead of sending it. */
export class CollectedResponse {
  readonly response: ServerResponse;
  readonly #headers = new Map<string, string>();
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** @param maxBytes the size above which the response is aborted */
  constructor(
    request: RouteRequest,
    private readonly maxBytes: number,
  ) {
    const response = new ServerResponse(request);
    response.assignSocket(request.socket);
    const { write, end, writeHead } = response;
    // They are own properties, because Express replaces the prototype.
    response.writeHead = (...given: unknown[]) => {
      this.#noteHeaders(given.findLast((one) => typeof one === 'object'));
      return writeHead.apply(response, given as never);
    };
    response.write = (...given: unknown[]) => {
      this.#collect(given);
      return write.apply(response, given as never);
    };
    response.end = (...given: unknown[]) => {
      this.#collect(given);
      return end.apply(response, given as never);
    };
    this.response = response;
  }

  /** The body so far. */
  get body(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Returns the response header with this lowercase name. */
  findHeader(name: string): string | undefined {
    return this.#headers.get(name) ?? this.response.getHeader(name)?.toString();
  }

  /** Whether the body is larger than allowed. */
  get isTooLarge(): boolean {
    return this.#size > this.maxBytes;
  }

  /** Fastify passes all headers together with the status, where Node does not store them. */
  #noteHeaders(given: unknown): void {
    const pairs = Array.isArray(given) ? listPairs(given) : Object.entries(given ?? {});
    for (const [name, value] of pairs) this.#headers.set(String(name).toLowerCase(), String(value));
  }

  #collect([chunk, encoding]: readonly unknown[]): void {
    const isText = typeof chunk === 'string';
    if (!isText && !(chunk instanceof Uint8Array)) return;
    const named = typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';
    const bytes = isText ? Buffer.from(chunk, named) : Buffer.from(chunk);
    this.#size += bytes.length;
    if (!this.isTooLarge) this.#chunks.push(bytes);
    else this.response.req.socket.destroy();
  }
}

/** The headers may be one array of alternating names and values. */
function listPairs(given: readonly unknown[]): readonly (readonly unknown[])[] {
  if (given.every(Array.isArray)) return given;
  return given.flatMap((name, index) => (index % 2 === 0 ? [[name, given[index + 1]]] : []));
}
