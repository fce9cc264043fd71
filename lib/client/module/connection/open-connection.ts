import type {
  Client,
  ClientCapabilities,
  JSONRPCMessage,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { Subject } from 'rxjs';
import { formatFacts } from '../../../core/log/format-facts.js';
import { Logger } from '../../../core/logger/logger.js';
import { limitLists, ResponseTooLargeError } from '../../../core/network/limited-fetch.js';
import { mergeCapabilities } from '../../../core/protocol/capabilities.js';
import { TASKS_EXTENSION } from '../../../core/protocol/meta-keys.js';
import { mayBeHttpSse } from '../../../core/protocol/http-sse.js';
import { untilAborted } from '../../../core/async/promises.js';
import { wrapTaskAsError } from '../../tasks/task-response.js';
import type { InputRequests } from '../handlers/input-requests.js';
import type { ClientSettings } from '../options/client-settings.js';
import { Connection, TaskProgress, type ServerNotification } from './connection.js';
import { loadClientOperations } from '../telemetry/client-operations.js';
import { RESPONSE_CUT, createBusyError, isTransient, listCauses, setRetryAfter } from './transient-errors.js';
import {
  createTransport,
  loadOfficialClient,
  requestMessages,
  type OfficialClient,
} from './create-transport.js';
import { LinkWatch } from './link-watch.js';

/** Tracks the official client's pending requests, and fails those whose response was cut off. */
class PendingRequests {
  readonly #ids = new Set<unknown>();

  constructor(private readonly transport: Transport) {}

  /** Starts to observe the transport. Call it before the official client receives the transport. */
  watch(): void {
    const { transport } = this;
    transport.onmessage = (message) => {
      // The official client also accepts ids that are returned as strings.
      if (!('method' in message)) this.#forget(Number(message.id));
    };
    const send = transport.send.bind(transport);
    transport.send = (message, options = {}) => {
      if (isCancellation(message)) this.#forget(message.params?.['requestId']);
      const id = findRequestId(message);
      if (id === undefined) return send(message, options);
      return send(message, this.#expect(id, options)).catch((error: unknown) => {
        this.#forget(id);
        throw error;
      });
    };
  }

  /** The request has a response, or was cancelled. */
  #forget(id: unknown): void {
    this.#ids.delete(id);
  }

  #expect(id: number, options: TransportSendOptions): TransportSendOptions {
    this.#ids.add(id);
    options.requestSignal?.addEventListener('abort', () => this.#forget(id), { once: true });
    const onRequestStreamEnd = () => {
      options.onRequestStreamEnd?.();
      if (this.#ids.delete(id)) this.#fail(id);
    };
    return { ...options, onRequestStreamEnd };
  }

  /** The rest of the response cannot be fetched, and the call would wait until its timeout. */
  #fail(id: number): void {
    const error = { code: -32_000, message: RESPONSE_CUT };
    this.transport.onmessage?.({ jsonrpc: '2.0', id, error });
  }
}

type Sent = JSONRPCMessage & { readonly params?: { readonly [name: string]: unknown } | undefined };

function isCancellation(message: JSONRPCMessage): message is Sent {
  return 'method' in message && message.method === 'notifications/cancelled';
}

/** The official client's request ids are numbers. String ids belong to subscriptions, which are handled elsewhere. */
function findRequestId(message: JSONRPCMessage): number | undefined {
  const id = 'method' in message && 'id' in message ? message.id : undefined;
  return typeof id === 'number' ? id : undefined;
}

const LOG = new Logger('McpClient');

/** The official client's message for a stdio line that is too long, before it closes the connection. */
const LONG_LINE = 'ReadBuffer exceeded';

/** What a connection depends on. */
export interface ConnectionRequest {
  readonly settings: ClientSettings;
  readonly inputRequests: InputRequests;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
}

/**
 * Connects to a server: negotiates the revision, and routes the server's input requests to the application's handlers.
 *
 * @throws {OfficialClientMissingError} if the official client is not installed
 */
export async function openConnection(request: ConnectionRequest): Promise<Connection> {
  try {
    return await connect(request);
  } catch (error) {
    const { settings, signal } = request;
    const isRefused = listCauses(error).some(({ status }) => mayBeHttpSse(status));
    const mayBeOlder = isRefused && typeof settings.negotiation === 'string';
    const messages = mayBeOlder ? await requestMessages(settings, signal) : undefined;
    if (messages === undefined) throw error;
    return connect({ ...request, settings: { ...settings, negotiation: 'legacy' } }, messages);
  }
}

/** @param messages the HTTP+SSE message endpoint, if the server supports no newer transport */
async function connect(
  { settings, inputRequests, signal }: ConnectionRequest,
  messages?: URL,
): Promise<Connection> {
  const sdk = await loadOfficialClient(settings.name);
  const watch = new LinkWatch(settings.name);
  const client = createClient(sdk, settings, inputRequests);
  const transport = await createTransport(settings, sdk, { watch, messages });
  new PendingRequests(transport).watch();
  const operations = await loadClientOperations(settings, transport);
  operations?.watch();
  inputRequests.operations = operations;
  const notifications = new Subject<ServerNotification>();
  const isStdio = 'command' in settings.server;
  client.onerror = (error) => {
    const { message } = error;
    // The official transport opens another stream, but responses to earlier requests cannot arrive there.
    if (error instanceof sdk.SseError)
      watch.lose(new sdk.SdkError(sdk.SdkErrorCode.ConnectionClosed, message));
    if (isStdio && message.startsWith(LONG_LINE)) watch.lose(createTooLargeError(settings));
    const line = `The client "${settings.name}" continues after a problem: ${message}`;
    LOG.debug(formatFacts(line, { caller: settings.caller }));
  };
  client.onclose = () => {
    notifications.complete();
    operations?.close(watch.problem);
    watch.lose(new sdk.SdkError(sdk.SdkErrorCode.ConnectionClosed, 'Connection closed'));
  };
  const connecting = untilAborted(
    client.connect(transport, { timeout: settings.timeoutMs, signal }),
    createLimit(messages, settings, signal),
  );
  await connecting.catch(async (error: unknown) => {
    const failure = explainFailure(error, watch);
    // The HTTP+SSE transport would continue on its own, and so would a stdio server's process.
    const closing = transport.close().catch(() => undefined);
    if (messages !== undefined) await closing;
    throw failure;
  });
  watch.endConnecting();
  const progress = new TaskProgress();
  tapMessages(transport, {
    onTask: (callId) => progress.begin(callId),
    onNotification: (notification) => {
      progress.take(notification);
      notifications.next(notification);
    },
  });
  return new Connection({
    client,
    transport,
    watch,
    isStdio,
    progress,
    notifications$: notifications.asObservable(),
  });
}

/** The official HTTP+SSE transport waits for the `endpoint` event without a timeout. */
function createLimit(
  messages: URL | undefined,
  { timeoutMs }: ClientSettings,
  signal: AbortSignal,
): AbortSignal {
  return messages === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

/** The official client mistakes a busy server for a server without the revision, so restore the actual reason. */
function explainFailure(error: unknown, { busyStatus, retryAfterMs, problem }: LinkWatch): unknown {
  if (problem instanceof ResponseTooLargeError) return problem;
  const isExplained = busyStatus === undefined || isTransient(error);
  return setRetryAfter(isExplained ? error : createBusyError(busyStatus, error), retryAfterMs);
}

function createClient(sdk: OfficialClient, settings: ClientSettings, inputRequests: InputRequests): Client {
  const { clientInfo, negotiation } = settings;
  const client = new sdk.Client(clientInfo, {
    capabilities: buildCapabilities(settings, inputRequests),
    versionNegotiation: { mode: negotiation },
  });
  inputRequests.attach(client);
  limitLists(client, describeServer(settings), settings.responseLimit);
  return client;
}

function createTooLargeError(settings: ClientSettings): ResponseTooLargeError {
  return new ResponseTooLargeError({
    url: describeServer(settings),
    unit: 'response',
    ...settings.responseLimit,
  });
}

function describeServer({ server }: ClientSettings): string {
  return 'url' in server ? server.url : server.command;
}

/** Builds the client's capabilities. Configured ones take precedence over the handlers' capabilities. */
export function buildCapabilities(
  { capabilities, tasks }: ClientSettings,
  inputRequests: InputRequests,
): ClientCapabilities {
  const ofTasks = tasks ? { extensions: { [TASKS_EXTENSION]: {} } } : {};
  const own = mergeCapabilities(inputRequests.buildCapabilities(), ofTasks);
  return mergeCapabilities(
    capabilities as Parameters<typeof mergeCapabilities>[0],
    own,
  ) as ClientCapabilities;
}

/** Listeners to a server's messages. */
interface MessageListeners {
  readonly onNotification: (notification: ServerNotification) => void;
  /** Called with the id of a request whose response is a task, before the official client receives it. */
  readonly onTask: (callId: number) => void;
}

/**
 * Intercepts a server's messages before the official client: forwards all notifications, and lets tasks pass through.
 */
function tapMessages(transport: Transport, { onNotification, onTask }: MessageListeners): void {
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const answer = wrapTaskAsError(message);
    if (answer !== message && 'id' in answer) onTask(Number(answer.id));
    // The official client handles notifications in a microtask, and would drop progress that arrives together with the response.
    if ('method' in answer) receive?.(answer, extra);
    else queueMicrotask(() => receive?.(answer, extra));
    if (isNotification(message)) onNotification({ method: message.method, params: message.params ?? {} });
  };
}

type Notification = JSONRPCMessage & { method: string; params?: { [name: string]: unknown } };

function isNotification(message: JSONRPCMessage): message is Notification {
  return 'method' in message && !('id' in message);
}
