import {
  Client,
  InsufficientScopeError,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Implementation,
  type ServerCapabilities,
  type SubscriptionFilter,
  type Transport,
} from '@modelcontextprotocol/client';
import { ANY_RESULT, wrapTaskAsError } from '../../lib/client/tasks/task-response.js';
import { limitLists } from '../../lib/core/network/limited-fetch.js';
import { ErrorCode } from '../../lib/core/protocol/error-codes.js';
import { type BackOff, computeDelay } from '../../lib/core/async/retry.js';
import { readOwnInfo } from '../facts.js';
import { answerInputRequests } from './answer-input-requests.js';
import { CAPABILITIES } from './capabilities.js';
import { declares, type KnownExtension } from './extensions.js';
import { Journal } from './journal.js';
import { LoginNeededError, type Login } from './login.js';
import { listOffer, NOTHING, OFFERED, type Offer } from './offer.js';
import { pause } from './pause.js';
import { InputRequests } from './input-requests.js';
import { LATEST_OF_BOTH, selectVersions } from './revision-choices.js';
import { RESPONSE_LIMIT } from './send-limited.js';
import { Store } from './store.js';
import { Tasks } from './tasks.js';

/** Tells whether a notification says that a list has changed. */
function isListChanged(method: string): boolean {
  return /^notifications\/(?:tools|resources|prompts|events)\/list_changed$/.test(method);
}

/** What the official client knows a subscription by, and what the working group's sketch of events adds. */
type ListFilter = SubscriptionFilter & { readonly eventsListChanged?: boolean };

const PAUSES: BackOff = { initialDelayMs: 1_000, maxDelayMs: 30_000 };

/** A stream that stood for fewer milliseconds was no success. */
const BRIEF_MS = 10_000;

/** How long somebody listens, and who hears that changes may have been missed. */
interface Listening {
  readonly signal: AbortSignal;
  readonly onReopen: () => void;
}

/**
 * Listens for changes of all lists of a server without sessions: on one stream, and on another whenever it ends, as it does when the server
 * starts again. Changes come as notifications. It never rejects.
 *
 * @see MCP 2026-07-28 basic/utilities/subscriptions
 */
async function listenForChanges(
  client: Client,
  capabilities: ServerCapabilities,
  { signal, onReopen }: Listening,
): Promise<void> {
  const filter = buildFilter(capabilities);
  if (Object.keys(filter).length === 0) return;
  for (let attempt = 0, isAgain = false; !signal.aborted; attempt += 1, isAgain = true) {
    const beganAt = performance.now();
    try {
      const subscription = await client.listen(filter, { signal });
      if (isAgain) onReopen();
      await subscription.closed;
    } catch (error) {
      if (isFinal(error)) return;
    }
    if (performance.now() - beganAt > BRIEF_MS) attempt = 0;
    await pause(computeDelay(PAUSES, attempt), signal);
  }
}

function buildFilter(capabilities: ServerCapabilities): ListFilter {
  const { tools, resources, prompts } = capabilities;
  return {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(resources?.listChanged === true && { resourcesListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
    ...(declares(capabilities, 'events') && { eventsListChanged: true }),
  };
}

/** What no further attempt would change. */
function isFinal(error: unknown): boolean {
  const isUnknown = error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound;
  return isUnknown || error instanceof LoginNeededError || error instanceof InsufficientScopeError;
}

export type Status = 'connecting' | 'connected' | 'login' | 'failed' | 'closed';

/** Milliseconds: somebody who tries a tool waits as long as it takes, and cancels. */
export const PATIENCE_MS = 24 * 3_600_000;

/** Milliseconds that a server may take to end a session. */
const LEAVING_MS = 2_000;

/** Milliseconds in which several changes are one. */
const CHANGING_MS = 50;

/** A request of any method, such as those of extensions. */
export interface AnyRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** The page's connection to the endpoint, by the official client. */
export class Connection extends Store {
  readonly journal = new Journal();
  readonly inputRequests = new InputRequests();
  readonly tasks = new Tasks();
  /** The folders that the server is told about when it asks. */
  roots: readonly string[] = [];
  /** One of the choices of revisions. */
  revision = LATEST_OF_BOTH;
  #client: Client | undefined;
  #transport: StreamableHTTPClientTransport | undefined;
  #status: Status = 'connecting';
  #failure: string | undefined;
  #offer = NOTHING;
  #listing = new Set<keyof Offer>();
  #listening = new AbortController();
  #isListingSoon = false;

  constructor(
    readonly endpoint: URL,
    readonly login: Login,
  ) {
    super();
  }

  get status(): Status {
    return this.#status;
  }

  /** Why there is no connection, or what could not be listed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get offer(): Offer {
    return this.#offer;
  }

  /** Tells whether a list, or any of them, has not come yet. */
  isListing(kind?: keyof Offer): boolean {
    return kind === undefined ? this.#listing.size > 0 : this.#listing.has(kind);
  }

  /** The client, once it is connected. */
  get client(): Client | undefined {
    return this.#status === 'connected' ? this.#client : undefined;
  }

  /** @throws {Error} if there is none that is connected */
  getClient(): Client {
    const { client } = this;
    if (client === undefined) throw new Error('There is no connection.');
    return client;
  }

  get server(): Implementation | undefined {
    return this.#client?.getServerVersion();
  }

  get capabilities(): ServerCapabilities {
    return this.#client?.getServerCapabilities() ?? {};
  }

  /** Tells whether the server declares an extension to this caller, in the revision that is spoken. */
  declares(extension: KnownExtension): boolean {
    return declares(this.capabilities, extension);
  }

  get negotiated(): string | undefined {
    return this.#client?.getNegotiatedProtocolVersion();
  }

  get sessionId(): string | undefined {
    return this.#transport?.sessionId;
  }

  /** Whether each request stands for itself, as it does since 2026-07-28. */
  get isPerRequest(): boolean {
    return this.#client?.getProtocolEra() === 'modern';
  }

  /** Takes up a login that comes back, and connects. */
  async begin(): Promise<void> {
    await this.login.finish();
    await this.connect(this.revision);
  }

  /** Connects, and lists what there is. */
  async connect(revision: string): Promise<void> {
    await this.close();
    this.revision = revision;
    this.tasks.clear();
    this.#set('connecting');
    const client = new Client(readOwnInfo(), { capabilities: CAPABILITIES, ...selectVersions(revision) });
    const transport = this.#createTransport();
    this.#client = client;
    this.#transport = transport;
    answerInputRequests(client, this);
    limitLists(client, this.endpoint.href, RESPONSE_LIMIT);
    client.fallbackNotificationHandler = async ({ method }) => {
      if (isListChanged(method)) await this.#listSoon();
    };
    followMessages(transport, this.journal);
    try {
      await client.connect(transport);
      if (this.#client !== client) return;
      client.onclose = () => this.#client === client && this.#set('closed');
      this.#listing = new Set(OFFERED);
      this.#set('connected');
      this.#listen(client);
      await this.list();
    } catch (error) {
      if (this.#client !== client) return;
      this.#listening.abort();
      const text = this.explain(error);
      this.#set(error instanceof LoginNeededError ? 'login' : 'failed', text);
    }
  }

  /** Ends the session, if there is one, and the connection. */
  async close(): Promise<void> {
    const [client, transport] = [this.#client, this.#transport];
    this.#listening.abort();
    this.#client = undefined;
    this.#transport = undefined;
    this.#offer = NOTHING;
    this.#listing = new Set();
    this.#set('closed');
    // A server that hangs is left behind.
    const ended = transport?.terminateSession().catch(() => undefined);
    await Promise.race([ended, pause(LEAVING_MS)]);
    await client?.close().catch(() => undefined);
  }

  /** Lists again what there is, and shows each list as soon as it is there; what is refused does not keep back the rest. */
  async list(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    const refusals = await listOffer(client, this.capabilities, (kind, entries) => {
      if (this.#client !== client) return;
      this.#offer = { ...this.#offer, [kind]: entries };
      this.#listing.delete(kind);
      this.changed();
    });
    if (this.#client !== client) return;
    const unknown = refusals.find((reason) => reason instanceof LoginNeededError);
    if (unknown !== undefined) throw unknown;
    const [refused] = refusals;
    this.#set(
      'connected',
      refused === undefined ? undefined : `Not everything could be listed: ${this.explain(refused)}`,
    );
  }

  /** Sends a request of any method, and gives the result as it came. */
  request({ method, params }: AnyRequest, signal: AbortSignal): Promise<unknown> {
    const options = { signal, timeout: PATIENCE_MS };
    return this.getClient().request({ method, ...(params && { params }) }, ANY_RESULT, options);
  }

  /** Reports an error. If a login would solve it, the page asks for one. */
  explain(error: unknown): string {
    if (error instanceof InsufficientScopeError) {
      const { requiredScope: scope, resourceMetadataUrl, errorDescription } = error;
      this.login.ask({ scope, resourceMetadataUrl, isStepUp: true });
      return errorDescription ?? `The token does not allow this: ${scope ?? 'another scope'} is needed.`;
    }
    return error instanceof Error ? error.message : String(error);
  }

  #createTransport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.endpoint, {
      authProvider: this.login.authProvider,
      fetch: (url, init) => this.login.send(url, init),
      onInsufficientScope: 'throw',
      // Like any other client: what the browser knows of this origin is not sent.
      requestInit: { credentials: 'omit' },
    });
  }

  /** In a session the server reports changes by itself. */
  #listen(client: Client): void {
    if (!this.isPerRequest) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    void listenForChanges(client, this.capabilities, { signal, onReopen: () => void this.#listSoon() });
  }

  /** Several changes at once are listed once. */
  async #listSoon(): Promise<void> {
    if (this.#isListingSoon) return;
    this.#isListingSoon = true;
    await pause(CHANGING_MS);
    this.#isListingSoon = false;
    await this.list().catch((error: unknown) => this.#set('connected', this.explain(error)));
  }

  #set(status: Status, failure?: string): void {
    this.#status = status;
    this.#failure = failure;
    this.changed();
  }
}

/**
 * Notes all messages of a transport. The official client knows no tasks: an answer that is one gets past it, to whoever
 * has called.
 */
function followMessages(transport: Transport, journal: Journal): void {
  const send = transport.send.bind(transport);
  let receive: Transport['onmessage'];
  journal.begin();
  transport.send = (message, options) => {
    journal.note('sent', message);
    return send(message, options);
  };
  Object.defineProperty(transport, 'onmessage', {
    get: (): Transport['onmessage'] =>
      receive &&
      ((message, extra) => {
        journal.note('received', message);
        receive?.(wrapTaskAsError(message), extra);
      }),
    set: (given: Transport['onmessage']) => {
      receive = given;
    },
  });
}
