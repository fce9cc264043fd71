import { settleWithin } from '../../core/async/timeouts.js';
import type { TaskLedger } from '../extensions/tasks/ledger/task-ledger.js';
import type { ClusterStats } from '../settings/cluster/cluster.interface.js';
import type { McpStats } from './mcp-stats.js';
import type { ServerStats, Use } from './server-stats.interface.js';

/** What was found counts for so long: probes of several balancers must not become load. */
const KEPT_MS = 1000;

/** Looks whether something answers, once for all who ask at about the same time. */
class SharedCheck {
  #look: Promise<boolean> | undefined;
  #endsAt = -Infinity;

  /** @param timeoutMs milliseconds after which it does not answer */
  constructor(
    private readonly look: () => Promise<unknown>,
    private readonly timeoutMs: number,
  ) {}

  /** Tells whether it answers in time, and without an error. */
  isWell(): Promise<boolean> {
    if (this.#look !== undefined && performance.now() < this.#endsAt) return this.#look;
    this.#endsAt = performance.now() + Math.max(this.timeoutMs, KEPT_MS);
    return (this.#look = this.#run());
  }

  async #run(): Promise<boolean> {
    let isWell = false;
    const looking = this.look().then(
      () => (isWell = true),
      () => undefined,
    );
    await settleWithin(looking, this.timeoutMs);
    this.#endsAt = performance.now() + KEPT_MS;
    return isWell;
  }
}

/** A part that a server needs, and that may fail while the process works. */
export type HealthPart = 'cluster' | 'messages' | 'tasks' | 'tokens' | 'audit';

/** The state of a part. */
export type PartState = 'up' | 'failing';

/** The details of a check. They hold no secrets. */
export interface McpHealthDetails {
  /** `draining` means that the process is about to end. `degraded` means that it serves and a part fails. */
  readonly state: 'up' | 'degraded' | 'draining';
  /** Absent without other processes. */
  readonly cluster?: {
    readonly state: PartState;
    /** One word for why the other processes cannot be reached, such as `WRONGPASS`; absent if it is not known. */
    readonly reason?: string;
    readonly lagMs?: number;
    readonly waiting: number;
  };
  /** Absent without other processes. */
  readonly messages?: { readonly state: PartState };
  /** Absent if tasks have no store of their own. */
  readonly tasks?: { readonly state: PartState };
  readonly tokens: { readonly state: PartState };
  /** Absent unless `audit.mode` is `required`. */
  readonly audit?: { readonly state: PartState };
  /** The used share of each bound, from 0 to 1. */
  readonly use: { readonly sessions: number; readonly listeners: number; readonly memory: number };
}

/** The result of a check, in the form of Terminus. */
export type McpHealth<Key extends string, Status extends string> = {
  readonly [Name in Key]: { readonly status: Status } & McpHealthDetails;
};

/** Options of a check. */
export interface ReadinessOptions<Degraded extends string = string> {
  /** The parts that the process needs to serve requests. If one fails, the check fails. @default none */
  readonly requires?: readonly HealthPart[];
  /** The status while a part fails that is not required. `degraded` needs Terminus 12. @default 'up' */
  readonly degradedAs?: Degraded;
}

/** A message that takes longer than this is late. */
const LATE_MS = 5000;

/** Above this share of a bound, the server will soon refuse requests. */
const FULL = 0.95;

/** How long a store of tasks may take to answer a check. */
const STORE_MS = 1000;

/**
 * Checks a server for Terminus. It does not need Terminus to be installed.
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
   * Reports that the process works. If it answers, it does. The details name parts that fail, because a restart would
   * not repair them.
   */
  async liveness<Key extends string>(key: Key): Promise<McpHealth<Key, 'up'>> {
    return format(key, 'up', await this.#examine());
  }

  /** Tells whether the process should get requests. It should not if it is about to end, or while a required part fails. */
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

/** Two digits are enough to act on. */
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
