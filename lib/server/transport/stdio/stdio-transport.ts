import type { Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { AuthError } from '../../../core/oauth/auth.error.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { formatLine, type LogSubject } from '../../log/format-line.js';
import type { RefusalRecorder } from '../../audit/refusal-recorder.js';
import { describeRefusal, isRefusal } from '../../auth/auth-refusal.js';
import type { McpAuthenticator } from '../../auth/mcp-authenticator.js';
import type { AuthUnavailableError } from '../../auth/errors.js';
import type { Authentication } from '../../context/authentication.js';
import type { ServedHandlersReport } from '../../dispatch/served-handlers-report.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { DuplexConnection, DuplexConnections } from '../duplex/duplex-connection.js';
import { type DuplexCaller, traceMessage, type WriteMessage } from '../duplex/duplex-parts.js';
import { type Line, LineReader, LineWriter, TOO_LONG } from './lines.js';
import { Logger } from '../../../core/logger/logger.js';
import type { JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import type { RequestSpan, RequestTracing } from '../../telemetry/request-tracing.js';

/** A stdio connection's streams, and its lifetime. */
export interface Pipe {
  readonly input: Readable;
  readonly output: Writable;
  /** The user's token, from the environment. @default none */
  readonly token?: string | undefined;
  /** Milliseconds to wait for pending requests after the input has ended. */
  readonly graceMs: number;
  /** Stops serving before the input ends. */
  readonly signal: AbortSignal;
}

/** An open stdio connection. */
interface Service {
  readonly connection: DuplexConnection;
  readonly caller: EnvironmentCaller;
  readonly writer: LineWriter;
}

/** Serves one client over stdio, one message per line (MCP basic/transports, "stdio"). */
export class StdioTransport {
  constructor(
    private readonly connections: DuplexConnections,
    private readonly authenticator: McpAuthenticator,
    private readonly settings: ServerSettings,
    private readonly offer: ServedHandlersReport,
    private readonly refusals: RefusalRecorder,
  ) {}

  /**
   * Serves until the input ends. Resolves when all requests have finished or were abandoned.
   *
   * @throws {StdioTokenError} if the token is not valid
   */
  async serve({ input, output, token, graceMs, signal }: Pipe): Promise<void> {
    const authentication = token === undefined ? undefined : await this.#authenticate(token);
    this.offer.log('on standard input and output');
    const caller = new EnvironmentCaller(this.authenticator.tracing, authentication);
    const write: WriteMessage = (message) => writer.write(message);
    const connection = this.connections.open(write, () => writer.unread);
    const describe = (): LogSubject => ({ authentication, session: connection.session });
    const writer = new LineWriter(output, this.settings.streams.maxQueuedBytes, describe);
    const stop = new AbortController();
    stop.signal.addEventListener('abort', () => {
      input.destroy();
      writer.abandon();
    });
    const isOver = AbortSignal.any([signal, stop.signal]);
    signal.addEventListener('abort', () => stop.abort(), { once: true });
    if (signal.aborted) stop.abort();
    // The client is gone.
    output.on('error', () => stop.abort());
    await this.#readAll(input, { connection, caller, writer });
    await connection.finish({ reason: 'The input has ended', graceMs, signal: isOver });
  }

  async #readAll(input: Readable, service: Service): Promise<void> {
    const reader = new LineReader(this.settings.limits.bodyBytes);
    for await (const chunk of readToEnd(input)) {
      for (const line of reader.read(chunk)) await this.#take(line, service);
    }
    const last = reader.end();
    if (last !== undefined) await this.#take(last, service);
  }

  /**
   * Applies back pressure: input from a client that is not reading is not read either. Pending responses are sent
   * before more input is read.
   */
  async #take(line: Line, { connection, caller, writer }: Service): Promise<void> {
    if (line === TOO_LONG) connection.refuse(this.#describeTooLong(), caller);
    else connection.receiveText(line, caller);
    // Sends pending responses before reading more.
    if (connection.size >= this.settings.limits.requestsInFlight) await turn();
    await writer.drained();
  }

  /** Authenticates the token and checks the required scopes. */
  async #authenticate(token: string): Promise<Authentication> {
    const { auth } = this.settings;
    if (auth === undefined) throw new StdioTokenError('is set, but the server has no "auth" option');
    const authentication = await this.#validate(token);
    const lacking = auth.requiredScopes.filter((scope) => !authentication.scopes.has(scope));
    if (lacking.length === 0) return authentication;
    this.#note(
      this.authenticator.challenges.insufficientScope(auth.requiredScopes, authentication.claims.scopes),
      authentication,
    );
    throw new StdioTokenError(`lacks a scope that the server requires: "${lacking.join(' ')}"`);
  }

  async #validate(token: string): Promise<Authentication> {
    try {
      return await this.authenticator.authenticate(token);
    } catch (cause) {
      if (isRefusal(cause)) this.#note(cause);
      if (cause instanceof AuthError) throw new StdioTokenError('is not a token that the server accepts');
      throw new StdioTokenError('cannot be checked at the moment: see the log for the reason', { cause });
    }
  }

  #note(refusal: AuthError | AuthUnavailableError, authentication?: Authentication): void {
    void this.refusals.record({
      ...describeRefusal(refusal),
      status: undefined,
      isPipe: true,
      authentication,
    });
  }

  #describeTooLong(): McpError {
    return McpError.invalidRequest(`a line must not exceed ${this.settings.limits.bodyBytes} bytes`);
  }
}

/** Yields the rest of a stream, up to its end or its failure. */
async function* readToEnd(input: Readable): AsyncGenerator<Buffer> {
  try {
    yield* input as AsyncIterable<Buffer>;
  } catch {
    input.destroy();
  }
}

/** The caller that started the process, with the token from the environment if there is one. */
export class EnvironmentCaller implements DuplexCaller {
  readonly isPipe = true;
  readonly #logger = new Logger('McpStdio');
  #authentication: Authentication | undefined;

  constructor(
    private readonly tracing: RequestTracing | undefined,
    authentication: Authentication | undefined,
  ) {
    this.#authentication = authentication;
  }

  /** The token, until it expires; the process may live longer. */
  get authentication(): Authentication | undefined {
    const authentication = this.#authentication;
    const { expiresAt = Infinity } = authentication?.claims ?? {};
    if (expiresAt * 1000 <= Date.now()) {
      this.#authentication = undefined;
      const line = 'The token from the environment has expired: start the server with a new one';
      this.#logger.warn(formatLine(line, { authentication }));
    }
    return this.#authentication;
  }

  trace(request: JsonRpcRequest): RequestSpan | undefined {
    return this.tracing && traceMessage(this.tracing, request, this.authentication);
  }
}

/** The configured token cannot be used, so the server does not start. */
export class StdioTokenError extends Error {
  override readonly name = 'StdioTokenError';

  constructor(problem: string, options?: ErrorOptions) {
    super(`The option "token" of "McpStdio.run" ${problem}`, options);
  }
}
