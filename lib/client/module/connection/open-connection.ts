import type { Client, ClientCapabilities } from '@modelcontextprotocol/client';
import { Subject } from 'rxjs';
import { Logger } from '../../../core/logger/logger.js';
import { limitLists } from '../../../core/network/limit-lists.js';
import { ResponseTooLargeError } from '../../../core/network/response-too-large.error.js';
import { mayBeHttpSse } from '../../../core/protocol/http-sse.js';
import { mergeCapabilities } from '../../../core/protocol/capabilities.js';
import { formatFacts } from '../../../core/log/format-facts.js';
import { TASKS_EXTENSION } from '../../../core/protocol/extension-ids.js';
import { orAborted } from '../../../core/waiting/or-aborted.js';
import type { ServerQuestions } from '../handlers/server-questions.js';
import type { ClientSettings } from '../options/client-settings.js';
import { TaskProgress } from '../tasks/task-progress.js';
import { loadClientOperations } from '../telemetry/load-client-operations.js';
import { AwaitedAnswers } from './awaited-answers.js';
import { createBusyError, noteRest } from './busy-server.js';
import { Connection } from './connection.js';
import { createTransport, requestMessages } from './create-transport.js';
import { isTransient } from './is-transient.js';
import { LinkWatch } from './link-watch.js';
import { listCauses } from './list-causes.js';
import { loadOfficialClient, type OfficialClient } from './official-client.js';
import type { ServerNotification } from './server-notification.interface.js';
import { tapMessages } from './tap-messages.js';

const LOG = new Logger('McpClient');

/** How the official client reports a line of a process that is too long, before it closes the connection. */
const LONG_LINE = 'ReadBuffer exceeded';

/** What it takes to connect. */
export interface ConnectionRequest {
  readonly settings: ClientSettings;
  readonly questions: ServerQuestions;
  /** Gives the attempt up. */
  readonly signal: AbortSignal;
}

/**
 * Connects to a server: settles the revision, and lets the server's questions come to the application's handlers.
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

/** @param messages the URL to which the messages of HTTP+SSE are posted, if the server speaks nothing newer */
async function connect(
  { settings, questions, signal }: ConnectionRequest,
  messages?: URL,
): Promise<Connection> {
  const sdk = await loadOfficialClient(settings.name);
  const watch = new LinkWatch(settings.name);
  const client = createClient(sdk, settings, questions);
  const transport = await createTransport(settings, sdk, { watch, messages });
  new AwaitedAnswers(transport).watch();
  const operations = await loadClientOperations(settings, transport);
  operations?.watch();
  questions.operations = operations;
  const told = new Subject<ServerNotification>();
  const isPipe = 'command' in settings.server;
  client.onerror = (error) => {
    const { message } = error;
    // The official transport opens another stream, on which no answer to an earlier request can come.
    if (error instanceof sdk.SseError)
      watch.lose(new sdk.SdkError(sdk.SdkErrorCode.ConnectionClosed, message));
    if (isPipe && message.startsWith(LONG_LINE)) watch.lose(createTooLargeError(settings));
    const line = `The client "${settings.name}" goes on after a fault: ${message}`;
    LOG.debug(formatFacts(line, { caller: settings.caller }));
  };
  client.onclose = () => {
    told.complete();
    operations?.close(watch.fault);
    watch.lose(new sdk.SdkError(sdk.SdkErrorCode.ConnectionClosed, 'Connection closed'));
  };
  const connecting = orAborted(
    client.connect(transport, { timeout: settings.timeoutMs, signal }),
    createLimit(messages, settings, signal),
  );
  await connecting.catch(async (error: unknown) => {
    // The transport of HTTP+SSE would go on by itself.
    if (messages !== undefined) await transport.close();
    throw explainFailure(error, watch);
  });
  watch.endConnecting();
  const progress = new TaskProgress();
  tapMessages(transport, {
    onTask: (callId) => progress.begin(callId),
    onNotification: (notification) => {
      progress.take(notification);
      told.next(notification);
    },
  });
  return new Connection({ client, transport, watch, isPipe, progress, notifications$: told.asObservable() });
}

/** The official transport waits without end for the URL that a stream of HTTP+SSE begins with. */
function createLimit(
  messages: URL | undefined,
  { timeoutMs }: ClientSettings,
  signal: AbortSignal,
): AbortSignal {
  return messages === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

/** The official client takes a server that is busy for one that lacks the revision, and does not say why. */
function explainFailure(error: unknown, { busyStatus, restMs, fault }: LinkWatch): unknown {
  if (fault instanceof ResponseTooLargeError) return fault;
  const isExplained = busyStatus === undefined || isTransient(error);
  return noteRest(isExplained ? error : createBusyError(busyStatus, error), restMs);
}

function createClient(sdk: OfficialClient, settings: ClientSettings, questions: ServerQuestions): Client {
  const { clientInfo, negotiation } = settings;
  const client = new sdk.Client(clientInfo, {
    capabilities: buildCapabilities(settings, questions),
    versionNegotiation: { mode: negotiation },
  });
  questions.attach(client);
  limitLists(client, findPlace(settings), settings.responseLimit);
  return client;
}

function createTooLargeError(settings: ClientSettings): ResponseTooLargeError {
  return new ResponseTooLargeError({ url: findPlace(settings), unit: 'response', ...settings.responseLimit });
}

function findPlace({ server }: ClientSettings): string {
  return 'url' in server ? server.url : server.command;
}

/** Builds what a client declares. The application's declarations take precedence over those for its handlers. */
export function buildCapabilities(
  { capabilities, tasks }: ClientSettings,
  questions: ServerQuestions,
): ClientCapabilities {
  const ofTasks = tasks ? { extensions: { [TASKS_EXTENSION]: {} } } : {};
  const own = mergeCapabilities(questions.buildCapabilities(), ofTasks);
  return mergeCapabilities(
    capabilities as Parameters<typeof mergeCapabilities>[0],
    own,
  ) as ClientCapabilities;
}
