import { Injectable } from '@nestjs/common';
import { TaskLedger } from '../extensions/tasks/ledger/task-ledger.js';
import type { RelayFigures } from '../settings/cluster/cluster.interface.js';
import { McpFigures } from './mcp-figures.js';
import { SharedLook } from './shared-look.js';
import type { ServerFigures, Use } from './server-figures.interface.js';

/** A part that a server needs, and that may fail although the process is well. */
export type HealthPart = 'relay' | 'tasks' | 'tokens';

/** The state of a part. */
export type PartState = 'up' | 'failing';

/** The details of a check; nothing in them is secret. */
export interface McpHealthDetails {
  /** `draining` before the process ends, `degraded` while it serves and something fails. */
  readonly state: 'up' | 'degraded' | 'draining';
  /** Absent if the process is alone. */
  readonly relay?: {
    readonly state: PartState;
    /** One word for why the other processes cannot be reached, such as `WRONGPASS`; absent if it is not known. */
    readonly reason?: string;
    readonly lagMs?: number;
    readonly waiting: number;
  };
  /** Absent without tasks of a store of their own. */
  readonly tasks?: { readonly state: PartState };
  readonly tokens: { readonly state: PartState };
  /** Shares of the bounds that are in use, from 0 to 1. */
  readonly use: { readonly sessions: number; readonly listeners: number; readonly memory: number };
}

/** What a check found, as Terminus takes it. */
export type McpHealth<Key extends string, Status extends string> = {
  readonly [Name in Key]: { readonly status: Status } & McpHealthDetails;
};

/** Options of a check. */
export interface ReadinessOptions<Degraded extends string = string> {
  /** Parts without which the process should get no requests: if one fails, so does the check. @default none */
  readonly requires?: readonly HealthPart[];
  /** The status while something fails that is not required; `degraded` needs Terminus 12. @default 'up' */
  readonly degradedAs?: Degraded;
}

/** Messages that take longer to come than this are late. */
const LATE_MS = 5000;

/** From this share of a bound on, the server is about to refuse. */
const FULL = 0.95;

/** How long a store of tasks may take to answer a check. */
const STORE_MS = 1000;

/**
 * Checks a server for Terminus, which need not be installed for it.
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
@Injectable()
export class McpHealthIndicator {
  readonly #store: SharedLook;

  constructor(
    private readonly figures: McpFigures,
    private readonly ledger: TaskLedger,
  ) {
    this.#store = new SharedLook(() => this.ledger.look(), STORE_MS);
  }

  /** Tells that the process works, which is so if it answers. The details say what else fails: a restart would not mend that. */
  async liveness<Key extends string>(key: Key): Promise<McpHealth<Key, 'up'>> {
    return format(key, 'up', await this.#examine());
  }

  /** Tells whether the process should get requests. It should not when it is about to end, or while a part that it requires fails. */
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
      ...(figures.relay && { relay: describeRelay(figures.relay) }),
      ...(this.ledger.isStored && { tasks: { state: stateOf(await this.#store.isWell()) } }),
      tokens: { state: stateOf(figures.canCheckTokens) },
    };
    const use = describeUse(figures);
    const isFailing = Object.values(parts).some(({ state }) => state === 'failing');
    const isFull = Object.values(use).some((part) => part >= FULL);
    const state = isFailing || isFull ? 'degraded' : 'up';
    return { state: figures.isDraining ? 'draining' : state, ...parts, use };
  }
}

function describeRelay(figures: RelayFigures): McpHealthDetails['relay'] & object {
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

function describeUse({ sessions, listeners, memoryBytes }: ServerFigures): McpHealthDetails['use'] {
  return { sessions: share(sessions), listeners: share(listeners), memory: share(memoryBytes) };
}

/** Two digits are enough to act on. */
function share({ used, most }: Use): number {
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
