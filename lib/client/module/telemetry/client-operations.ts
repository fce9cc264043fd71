import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { Logger } from '../../../core/logger/logger.js';
import { fingerprintSession } from '../../../core/protocol/fingerprints.js';
import { isObject, type Params, type RequestId } from '../../../core/protocol/json-rpc.js';
import { MetaKey } from '../../../core/protocol/meta-keys.js';
import type { NetworkFacts, OperationFacts, PeerAddress } from '../../../core/telemetry/operation-facts.js';
import { type Operation, Telemetry } from '../../../core/telemetry/telemetry.js';
import {
  CANCELLED,
  judgePeerError,
  judgeResult,
  judgeThrown,
  SUCCESS,
  TIMED_OUT,
  type Outcome,
} from '../../../core/telemetry/outcome.js';
import { findMessageParent } from '../../../core/telemetry/span-parents.js';
import { McpClientConfigurationError } from '../errors.js';
import type { ClientSettings } from '../options/client-settings.js';

/**
 * Loads a client's telemetry. Returns `undefined` if nothing is recorded.
 *
 * @throws {McpClientConfigurationError} if `@opentelemetry/api` is needed but not installed
 */
export async function loadClientOperations(
  { name, telemetry, server }: ClientSettings,
  transport: Transport,
): Promise<ClientOperations | undefined> {
  if (telemetry === undefined) return undefined;
  const explain = (expected: string, cause: unknown): Error =>
    new McpClientConfigurationError(`clients.${name}.telemetry.tracerProvider`, expected, { cause });
  return new ClientOperations(
    await Telemetry.load('client', telemetry, { explain, logger: new Logger('McpClient') }),
    transport,
    'url' in server ? describeUrl(server.url) : { network: { transport: 'pipe' } },
  );
}

function describeUrl(url: string): ServerLocation {
  const { hostname: address, port, protocol } = new URL(url);
  const assumed = protocol === 'https:' ? 443 : 80;
  const server = { address, port: port === '' ? assumed : Number(port) };
  return { network: { transport: 'tcp', protocolName: 'http' }, server };
}

/** The server's network attributes. */
interface ServerLocation {
  readonly network: NetworkFacts;
  /** Absent if the server is a process. */
  readonly server?: PeerAddress | undefined;
}

/** The outcome of requests that end with the connection. */
const CLOSED: Outcome = { errorType: 'connection_closed', message: 'The connection is closed' };

type Call = JSONRPCMessage & { readonly method: string; readonly params?: Params };

/** Records a client's requests over one connection, and its server's input requests. */
export class ClientOperations {
  readonly #sent = new Map<RequestId, Operation>();
  #version: string | undefined;
  #initializedAt: number | undefined;
  #session: { readonly id: string; readonly name: string } | undefined;

  constructor(
    private readonly telemetry: Telemetry,
    private readonly transport: Transport,
    private readonly location: ServerLocation,
  ) {}

  /** Starts to observe the transport. Call it before the official client receives the transport. */
  watch(): void {
    const { transport } = this;
    this.#seeReceived(transport);
    const send = transport.send.bind(transport);
    transport.send = (message, options) =>
      isCall(message) ? this.#send(message, options, send) : send(message, options);
  }

  /** During negotiation, the official client replaces `onmessage` without calling the previous handler. */
  #seeReceived(transport: Transport): void {
    const see = (receive: Transport['onmessage']): Transport['onmessage'] =>
      receive &&
      ((message, extra) => {
        if (!('method' in message)) this.#receive(message);
        receive(message, extra);
      });
    let seen = see(transport.onmessage);
    Object.defineProperty(transport, 'onmessage', {
      configurable: true,
      enumerable: true,
      get: () => seen,
      set: (receive: Transport['onmessage']) => {
        seen = see(receive);
      },
    });
  }

  /** Records one of the server's input requests until it has been handled. */
  async follow<Answer>(
    { method, params }: { readonly method: string; readonly params?: unknown },
    id: RequestId | undefined,
    answer: () => Promise<Answer>,
  ): Promise<Answer> {
    const given = isObject(params) ? params : undefined;
    const facts = this.#describe({ method, params: given, id });
    const { tracing } = this.telemetry;
    const place = tracing && findMessageParent(tracing, given);
    const operation = this.telemetry.start({ ...facts, server: undefined }, { kind: 'server', ...place });
    try {
      const answered = await operation.run(answer);
      operation.end(SUCCESS);
      return answered;
    } catch (error) {
      operation.end(judgeThrown(error));
      throw error;
    }
  }

  /** Ends pending requests, and the session if there was one. */
  close(problem: unknown): void {
    for (const operation of this.#sent.values()) operation.end(CLOSED);
    this.#sent.clear();
    if (this.#initializedAt === undefined) return;
    const { errorType } = problem === undefined ? SUCCESS : judgeThrown(problem);
    this.telemetry.recordSession((performance.now() - this.#initializedAt) / 1000, {
      ...this.location,
      version: this.#version,
      errorType,
    });
    this.#initializedAt = undefined;
  }

  async #send(
    message: Call,
    options: TransportSendOptions | undefined,
    send: Transport['send'],
  ): Promise<void> {
    const { method, params } = message;
    const id = 'id' in message ? message.id : undefined;
    if (method === 'notifications/cancelled') this.#cancel(params);
    const operation = this.telemetry.start(this.#describe({ method, params, id }), { kind: 'client' });
    if (id !== undefined) {
      this.#sent.set(id, operation);
      options?.requestSignal?.addEventListener('abort', () => this.#end(id, CANCELLED), { once: true });
    }
    try {
      await operation.run(() => send(this.#injectTrace(message, operation), options));
      if (id === undefined) operation.end(SUCCESS);
    } catch (error) {
      if (id === undefined) operation.end(judgeThrown(error));
      else this.#end(id, judgeThrown(error));
      throw error;
    }
  }

  /** The official client sends this for cancellations and timeouts. */
  #cancel(params: Params = {}): void {
    const { requestId, reason } = params;
    const isLate = typeof reason === 'string' && /timed out/i.test(reason);
    this.#end(requestId as RequestId, isLate ? TIMED_OUT : CANCELLED);
  }

  #receive(message: Exclude<JSONRPCMessage, { method: string }>): void {
    const { id } = message;
    if (id === undefined) return;
    // Servers may return an id as a string.
    const known = this.#sent.has(id) ? id : Number(id);
    if ('error' in message) return this.#end(known, judgePeerError(message.error));
    const operation = this.#sent.get(known);
    if (operation?.facts.method === 'initialize') this.#completeInitialization(message.result);
    this.#end(known, judgeResult(message.result), message.result);
  }

  #completeInitialization(result: Params): void {
    const { protocolVersion } = result;
    this.#initializedAt = performance.now();
    if (typeof protocolVersion === 'string') this.#version = protocolVersion;
  }

  #end(id: RequestId, outcome: Outcome, result?: unknown): void {
    const operation = this.#sent.get(id);
    this.#sent.delete(id);
    const isHandshake = operation?.facts.method === 'initialize';
    const later = isHandshake ? { version: this.#version, session: this.#nameSession() } : undefined;
    operation?.end(outcome, later, () => result);
  }

  #describe({ method, params, id }: Pick<OperationFacts, 'method' | 'params' | 'id'>): OperationFacts {
    const meta = params?.['_meta'];
    const declared = isObject(meta) ? meta[MetaKey.protocolVersion] : undefined;
    const version = typeof declared === 'string' ? declared : this.#version;
    return { ...this.location, method, params, id, version, session: this.#nameSession() };
  }

  /** Returns the session's name in spans: its id or a fingerprint. */
  #nameSession(): string | undefined {
    const { sessionId: id } = this.transport;
    if (id === undefined) return undefined;
    if (this.telemetry.capturesSessionIds) return id;
    if (this.#session?.id !== id) this.#session = { id, name: fingerprintSession(id) };
    return this.#session.name;
  }

  #injectTrace(message: Call, { span }: Operation): JSONRPCMessage {
    const { tracing } = this.telemetry;
    if (tracing === undefined || span === undefined) return message;
    const params = tracing.contexts.inject(message.params ?? {}, span.context);
    return { ...message, params };
  }
}

function isCall(message: JSONRPCMessage): message is Call {
  return 'method' in message;
}
