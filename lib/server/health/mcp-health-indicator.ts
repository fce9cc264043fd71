import { settleWithin } from '../../core/async/timeouts.js';
import type { TaskLedger } from '../extensions/tasks/ledger/task-ledger.js';
import type { ClusterStats } from '../settings/cluster/cluster.interface.js';
import type { McpStats } from './mcp-stats.js';
import type { ServerStats, Use } from './server-stats.interface.js';

/** How long a result is cached, in milliseconds, so that probes from several load balancers do not add load. */
const CACHED_MS = 1000;

/** Checks a dependency once for all concurrent callers, and caches the result. */
class SharedCheck {
  #look: Promise<boolean> | undefined;
  #endsAt = -Infinity;

  /** @param timeoutMs milliseconds after which the check fails */
  constructor(
    private readonly look: () => Promise<unknown>,
    private readonly timeoutMs: number,
  ) {}

  /** Returns whether the dependency responds in time and without an error. */
  isWell(): Promise<boolean> {
    if (this.#look !== undefined && performance.now() < this.#endsAt) return this.#look;
    this.#endsAt = performance.now() + Math.max(this.timeoutMs, CACHED_MS);
    return (this.#look = this.#run());
  }

  async #run(): Promise<boolean> {
    let isWell = false;
    const looking = this.look().then(
      () => (isWell = true),
      () => undefined,
    );
    await settleWithin(looking, this.timeoutMs);
    this.#endsAt = performance.now() + CACHED_MS;
    return isWell;
  }
}

/** A part that can fail while the process itself keeps working. */
export type HealthPart = 'cluster' | 'messages' | 'tasks' | 'tokens' | 'audit';

/** A part's state. */
export type PartState = 'up' | 'failing';

/** A check's details. They contain no secrets. */
export interface McpHealthDetails {
  /** `draining`: the process is about to end. `degraded`: it serves requests, but a part fails or a limit is nearly reached. */
  readonly state: 'up' | 'degraded' | 'draining';
  /** Absent without `cluster`. */
  readonly cluster?: {
    readonly state: PartState;
    /** A short reason why the other processes are unreachable, such as `WRONGPASS`. Absent if it is unknown. */
    readonly reason?: string;
    readonly lagMs?: number;
    readonly waiting: number;
  };
  /** Whether messages from other processes can be decrypted. Absent without `cluster`. */
  readonly messages?: { readonly state: PartState };
  /** Absent if tasks are stored in memory. */
  readonly tasks?: { readonly state: PartState };
  readonly tokens: { readonly state: PartState };
  /** Absent unless `audit.mode` is `required`. */
  readonly audit?: { readonly state: PartState };
  /** The used fraction of each limit, from 0 to 1. */
  readonly use: { readonly sessions: number; readonly listeners: number; readonly memory: number };
}

/** A check's result, in the format of Terminus. */
export type McpHealth<Key extends string, Status extends string> = {
  readonly [Name in Key]: { readonly status: Status } & McpHealthDetails;
};

/** Options of a check. */
export interface ReadinessOptions<Degraded extends string = string> {
  /** The parts that the process requires to serve requests. If one fails, the check fails. @default none */
  readonly requires?: readonly HealthPart[];
  /** The status while a non-required part fails. `degraded` requires Terminus 12. @default 'up' */
  readonly degradedAs?: Degraded;
}

/** The delay, in milliseconds, above which messages between processes are considered late. */
const LATE_MS = 5000;

/** The fraction of a limit above which the server will soon reject requests. */
const FULL = 0.95;

/** The timeout for checking a task store, in milliseconds. */
const STORE_MS = 1000;

/**
 * Checks a server's health for Terminus, which does not have to be installed.
 *
 * @example
 * class HealthController { @Get('ready') @HealthCheck()
 *   ready() {
 *     return this.health.check([() => this.mcp.readiness('mcp')]);
 *   }
 * }
 *
 * @see https://docs.nestjs.com/recipes/terminus
 */
export class McpHealthIndicator {
  readonly #store: SharedCheck;

  constructor(
    private readonly figures: McpStats,
    private readonly ledger: TaskLedger,
  ) {
    this.#store = new SharedCheck(() => this.ledger.checkHealth(), STORE_MS);
  }

  /**
   * Returns the status `up`, because a process that responds is alive. The details name failing parts, which a
   * restart would not repair.
   */
  async liveness<Key extends string>(key: Key): Promise<McpHealth<Key, 'up'>> {
    return format(key, 'up', await this.#examine());
  }

  /** Returns whether the process should receive requests. The status is `down` while the process drains, or while a required part fails. */
  async readiness<Key extends string, const Degraded extends 'up' | 'degraded' | 'down' = 'up'>(
    key: Key,
    { requires = [], degradedAs = 'up' as Degraded }: ReadinessOptions<Degraded> = {},
  ): Promise<McpHealth<Key, 'up' | 'down' | Degraded>> {
    const details = await this.#examine();
    const isDown =
      details.state === 'draining' || requires.some((part) => details[part]?.state === 'failing');
    if (isDown) return format(key, 'down', details);
    return format(key, details.state === 'up' ? 'up' : degradedAs, details);
  }

  async #examine(): Promise<McpHealthDetails> {
    const figures = this.figures.read();
    const parts = {
      ...(figures.cluster && {
        cluster: describeCluster(figures.cluster),
        messages: { state: stateOf(figures.cluster.isReadable) },
      }),
      ...(this.ledger.isStored && { tasks: { state: stateOf(await this.#store.isWell()) } }),
      tokens: { state: stateOf(figures.canCheckTokens) },
      ...(figures.canStoreAudit !== undefined && { audit: { state: stateOf(figures.canStoreAudit) } }),
    };
    const use = describeUse(figures);
    const isFailing = Object.values(parts).some(({ state }) => state === 'failing');
    const isFull = Object.values(use).some((part) => part >= FULL);
    const state = isFailing || isFull ? 'degraded' : 'up';
    return { state: figures.isDraining ? 'draining' : state, ...parts, use };
  }
}

function describeCluster(figures: ClusterStats): McpHealthDetails['cluster'] & object {
  const { isConnected, failure, lagMs, waiting } = figures;
  const isWell = isConnected && (lagMs ?? 0) < LATE_MS;
  const reason = failure?.reason;
  return {
    state: stateOf(isWell),
    ...(reason !== undefined && { reason }),
    ...(lagMs !== undefined && { lagMs }),
    waiting,
  };
}

function describeUse({ sessions, listeners, memoryBytes }: ServerStats): McpHealthDetails['use'] {
  return { sessions: share(sessions), listeners: share(listeners), memory: share(memoryBytes) };
}

/** Two digits are enough for alerts. */
function share({ used, limit: most }: Use): number {
  return Math.round((100 * used) / most) / 100;
}

function stateOf(isWell: boolean): PartState {
  return isWell ? 'up' : 'failing';
}

function format<Key extends string, Status extends string>(
  key: Key,
  status: Status,
  details: McpHealthDetails,
): McpHealth<Key, Status> {
  return { [key]: { status, ...details } } as McpHealth<Key, Status>;
}
