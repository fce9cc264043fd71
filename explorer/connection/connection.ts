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

/** Returns whether a notification reports a changed list. */
function isListChanged(method: string): boolean {
  return /^notifications\/(?:tools|resources|prompts|events)\/list_changed$/.test(method);
}

/** The official client's subscription filters, and the filter from the working group's events draft. */
type ListFilter = SubscriptionFilter & { readonly eventsListChanged?: boolean };

const PAUSES: BackOff = { initialDelayMs: 1_000, maxDelayMs: 30_000 };

/** The duration, in milliseconds, from which a stream counts as a success. */
const BRIEF_MS = 10_000;

/** The subscription's lifetime, and the callback for changes that may have been missed. */
interface Listening {
  readonly signal: AbortSignal;
  readonly onReopen: () => void;
}

/**
 * Subscribes to changes to all lists on a server without sessions. When the stream ends, for example because the
 * server restarts, it opens another. Changes arrive as notifications. It never rejects.
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

/** The errors that another attempt would reproduce. */
function isFinal(error: unknown): boolean {
  const isUnknown = error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound;
  return isUnknown || error instanceof LoginNeededError || error instanceof InsufficientScopeError;
}

export type Status = 'connecting' | 'connected' | 'login' | 'failed' | 'closed';

/** A call's timeout, in milliseconds. The page's users cancel calls themselves. */
export const PATIENCE_MS = 24 * 3_600_000;

/** The timeout for ending a session, in milliseconds. */
const LEAVING_MS = 2_000;

/** The time in which several changes count as one, in milliseconds. */
const CHANGING_MS = 50;

/** A request of any method, such as those of extensions. */
export interface AnyRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** The page's connection to the endpoint, with the official client. */
export class Connection extends Store {
  readonly journal = new Journal();
  readonly inputRequests = new InputRequests();
  readonly tasks = new Tasks();
  /** The folders to report when the server requests roots. */
  roots: readonly string[] = [];
  /** One of the revision choices. */
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

  /** The reason why there is no connection, or the lists that could not be fetched. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get offer(): Offer {
    return this.#offer;
  }

  /** Returns whether a list, or any list, is still being fetched. */
  isListing(kind?: keyof Offer): boolean {
    return kind === undefined ? this.#listing.size > 0 : this.#listing.has(kind);
  }

  /** The client, after it has connected. */
  get client(): Client | undefined {
    return this.#status === 'connected' ? this.#client : undefined;
  }

  /** @throws {Error} if it is not connected */
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

  /** Returns whether the server declares an extension to this caller, in the negotiated revision. */
  declares(extension: KnownExtension): boolean {
    return declares(this.capabilities, extension);
  }

  get negotiated(): string | undefined {
    return this.#client?.getNegotiatedProtocolVersion();
  }

  get sessionId(): string | undefined {
    return this.#transport?.sessionId;
  }

  /** Whether requests are stateless, as from 2026-07-28 on. */
  get isPerRequest(): boolean {
    return this.#client?.getProtocolEra() === 'modern';
  }

  /** Continues a login after the redirect, and connects. */
  async begin(): Promise<void> {
    await this.login.finish();
    await this.connect(this.revision);
  }

  /** Connects, and fetches the lists. */
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
    // A server that does not respond is ignored.
    const ended = transport?.terminateSession().catch(() => undefined);
    await Promise.race([ended, pause(LEAVING_MS)]);
    await client?.close().catch(() => undefined);
  }

  /** Fetches the lists again, and shows each one as soon as it arrives. A rejected list does not delay the others. */
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

  /** Sends a request of any method, and returns the unchanged result. */
  request({ method, params }: AnyRequest, signal: AbortSignal): Promise<unknown> {
    const options = { signal, timeout: PATIENCE_MS };
    return this.getClient().request({ method, ...(params && { params }) }, ANY_RESULT, options);
  }

  /** Reports an error. If a login would solve it, the page prompts for one. */
  explain(error: unknown): string {
    if (error instanceof InsufficientScopeError) {
      const { requiredScope: scope, resourceMetadataUrl, errorDescription } = error;
      this.login.ask({ scope, resourceMetadataUrl, isStepUp: true });
      return errorDescription ?? `The token does not allow this: it lacks ${scope ?? 'a required scope'}.`;
    }
    return error instanceof Error ? error.message : String(error);
  }

  #createTransport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.endpoint, {
      authProvider: this.login.authProvider,
      fetch: (url, init) => this.login.send(url, init),
      onInsufficientScope: 'throw',
      // Like any other client, the page does not send this origin's cookies.
      requestInit: { credentials: 'omit' },
    });
  }

  /** In a session, the server reports changes without a subscription. */
  #listen(client: Client): void {
    if (!this.isPerRequest) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    void listenForChanges(client, this.capabilities, { signal, onReopen: () => void this.#listSoon() });
  }

  /** Fetches the lists once for several changes. */
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
 * Records all messages of a transport. The official client does not support tasks, so a response with a task reaches
 * the caller as an error that contains it.
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
