import { Subscription } from 'rxjs';
import { callAfter } from '../../core/async/timers.js';
import { computeDelay } from '../../core/async/retry.js';
import { describeFailure } from '../../core/log/describe-failure.js';
import { escapeText } from '../../core/log/escape-text.js';
import { Logger } from '../../core/logger/logger.js';
import type { McpCatalog, McpNotifier } from '../../index.js';
import type { McpClient, McpClients } from '../../client/module/index.js';
import { ServerCalls } from '../calls/server-calls.js';
import type { RefusedEntry } from '../entries/offered-entries.js';
import type { GatewayServerSettings } from '../settings/gateway-options.js';
import type { CircuitState } from './circuit-breaker.js';
import { ServerEntries, type ServerLists } from './server-entries.js';
import { ServerSubscriptions } from './server-subscriptions.js';

/** One server behind the gateway. */
export interface GatewayServerStatus {
  readonly name: string;
  /** `starting` until its lists have been read, `failing` while they cannot be read, otherwise `ready`. */
  readonly state: 'starting' | 'ready' | 'failing';
  /** The connection state, as in `McpClient.state`. */
  readonly connection: McpClient['state'];
  readonly circuit: CircuitState;
  /** Why its lists cannot be read. */
  readonly problem?: string | undefined;
  /** The number of offered entries. */
  readonly tools: number;
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly prompts: number;
  /** Entries that are not offered, and why; at most 100 of each kind. */
  readonly refused: readonly RefusedEntry[];
  /** Tools whose calls are rejected until they are confirmed. */
  readonly unconfirmed: readonly string[];
}

/** Retry delays for reading the lists after a failure. */
const RETRY = { initialDelayMs: 1000, maxDelayMs: 60_000 };

/** Adds one server's entries to the gateway's catalog, and follows their changes. */
export class GatewayServer {
  readonly entries: ServerEntries;
  readonly calls: ServerCalls;
  readonly #resourceSubscriptions: ServerSubscriptions;
  readonly #log = new Logger('McpGateway');
  readonly #subscriptions = new Subscription();
  readonly #client: McpClient;
  #problem: string | undefined;
  #hasRead = false;
  #failures = 0;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #isClosed = false;
  #readAt = -Infinity;
  #stopTimer: () => void = () => undefined;

  constructor(
    private readonly settings: GatewayServerSettings,
    catalog: McpCatalog,
    clients: McpClients,
    notifier: McpNotifier,
  ) {
    const { name, client } = settings;
    this.calls = new ServerCalls(clients, settings, notifier);
    this.#client = clients.register(name, client, this.calls.inputRequests);
    this.entries = new ServerEntries(settings, catalog, this.calls);
    this.#resourceSubscriptions = new ServerSubscriptions(settings, this.#client, this.entries, notifier);
  }

  get status(): GatewayServerStatus {
    const { name } = this.settings;
    return {
      name,
      state: this.#problem !== undefined ? 'failing' : this.#hasRead ? 'ready' : 'starting',
      connection: this.#client.state,
      circuit: this.calls.circuit.state,
      ...(this.#problem !== undefined && { problem: this.#problem }),
      ...this.entries.counts,
      refused: this.entries.refused,
      unconfirmed: this.entries.unconfirmed,
    };
  }

  /** Starts to read the lists and follow changes, in the background. */
  begin(): void {
    const { notifications$, state$ } = this.#client;
    this.#subscriptions.add(
      notifications$.subscribe(({ method }) => {
        if (method.endsWith('/list_changed')) this.#refreshSoon();
      }),
    );
    let wasLost = false;
    this.#subscriptions.add(
      state$.subscribe((state) => {
        if (state === 'reconnecting') wasLost = true;
        if (state !== 'connected' || !wasLost) return;
        wasLost = false;
        this.#refreshSoon();
      }),
    );
    // With a connection for each caller, this one may read what a caller must not know of, and another caller's data.
    if (this.settings.identity === 'application') this.#resourceSubscriptions.begin();
    void this.refresh().catch(() => undefined);
  }

  /** Reads the lists now, or joins a read in progress. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
      this.#schedule();
    });
    return this.#reading;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
    this.#subscriptions.unsubscribe();
    this.#resourceSubscriptions.close();
    this.calls.close();
  }

  /** Several notifications cause a single read, and there is a minimum interval between reads. */
  #refreshSoon(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    if (this.#reading === undefined) this.#schedule();
  }

  #schedule(): void {
    this.#stopTimer();
    if (this.#isClosed) return;
    const delayMs = this.#findDelay();
    if (delayMs !== undefined) {
      this.#stopTimer = callAfter(delayMs, () => void this.refresh().catch(() => undefined));
    }
  }

  #findDelay(): number | undefined {
    const { pollMs, limits } = this.settings;
    if (this.#isStale) return Math.max(0, this.#readAt + limits.refreshMs - performance.now());
    if (this.#failures > 0) return computeDelay(RETRY, this.#failures - 1);
    return pollMs === 0 ? undefined : pollMs;
  }

  async #read(): Promise<void> {
    this.#isStale = false;
    try {
      const { lists, problems } = await readLists(this.#client);
      if (this.#isClosed) return;
      this.entries.replace(lists);
      this.#resourceSubscriptions.resume();
      if (problems.length > 0) throw problems[0];
      if (this.#problem !== undefined || !this.#hasRead) this.#reportReady();
      this.#problem = undefined;
      this.#hasRead = true;
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.#report(error);
      throw error;
    } finally {
      this.#readAt = performance.now();
    }
  }

  #reportReady(): void {
    const { tools, resources, resourceTemplates, prompts } = this.entries.counts;
    this.#log.log(
      `The server "${this.settings.name}" offers ${tools} tools, ${resources} resources, ${resourceTemplates} resource templates and ${prompts} prompts`,
    );
    for (const { kind, key, reason } of this.entries.refused.slice(0, MOST_LOGGED)) {
      this.#log.warn(`The ${kind} "${key}" of the server "${this.settings.name}" is not offered: ${reason}`);
    }
  }

  /** Repeated failures are not logged again. */
  #report(error: unknown): void {
    const problem = escapeText(describeFailure(error).text, 500);
    if (this.#isClosed || problem === this.#problem) return;
    this.#problem = problem;
    this.#log.warn(`The lists of the server "${this.settings.name}" cannot be read: ${problem}`);
  }
}

/** The maximum number of rejected entries that are logged. */
const MOST_LOGGED = 20;

/** Reads the lists that a server declares. If one list cannot be read, the others still are. */
async function readLists(
  client: McpClient,
): Promise<{ readonly lists: ServerLists; readonly problems: readonly unknown[] }> {
  const official = await client.official();
  const { tools, resources, prompts, completions } = official.getServerCapabilities() ?? {};
  const problems: unknown[] = [];
  const read = async <Item>(isDeclared: boolean, list: () => Promise<readonly Item[]>) => {
    if (!isDeclared) return [];
    try {
      return await list();
    } catch (error) {
      problems.push(error);
      return undefined;
    }
  };
  const [ofTools, ofResources, ofTemplates, ofPrompts] = await Promise.all([
    read(tools !== undefined, () => client.listTools()),
    read(resources !== undefined, () => client.listResources()),
    read(resources !== undefined, () => client.listResourceTemplates()),
    read(prompts !== undefined, () => client.listPrompts()),
  ]);
  return {
    // The official client has validated each entry.
    lists: {
      tools: ofTools as ServerLists['tools'],
      resources: ofResources as ServerLists['resources'],
      resourceTemplates: ofTemplates as ServerLists['resourceTemplates'],
      prompts: ofPrompts as ServerLists['prompts'],
      hasCompletions: completions !== undefined,
    },
    problems,
  };
}
