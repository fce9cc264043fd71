import { setTimeout as delay } from 'node:timers/promises';
import { callTool } from '../../../../support/clients/tools.js';
import { ProcessCluster, type ClusterParts } from '../../../../support/cluster/process-cluster.js';
import { until } from '../../../../support/until.js';
import { CallingClients } from '../calling-clients.js';
import { openSessions, useSessions } from '../crowd.js';
import { StandingClient } from '../standing-client.js';

/** What clients saw of something that went wrong. Times are in milliseconds. */
export interface Observed {
  /** The longest call in sessions that the processes knew, and in sessions that they had to take up. */
  readonly knownCall: number;
  readonly strangeCall: number;
  /** Calls that failed and were made again, and those that failed then too. */
  readonly repeated: number;
  readonly failed: number;
  /** The longest time that a client heard nothing, by the process of its stream. The first one tells what they hear. */
  readonly silence: readonly number[];
  /** How long it took from the repair until everybody had heard what was told before. */
  readonly healed: number;
}

const INTERVAL_MS = 20;
const PROCESSES = 3;
const CLIENTS_OF_EACH = 4;
const KNOWN = 30;
const STRANGE = 3000;
const LONG_MS = 60_000;

/** Three processes, clients that hear what the first one tells all the time, and clients that call. */
export class Scene {
  #told = 0;
  #isOver = false;
  #telling = Promise.resolve();

  private constructor(
    readonly cluster: ProcessCluster,
    private readonly balancing: Balancing,
    private readonly clients: readonly (readonly StandingClient[])[],
    private readonly known: readonly string[],
    private readonly strange: readonly string[],
  ) {}

  static async start(parts: ClusterParts = {}): Promise<Scene> {
    const cluster = await ProcessCluster.start({ count: PROCESSES, ...parts });
    const balancing = new Balancing(cluster);
    const urls = cluster.processes.map(({ url }) => url);
    const known = await openSessions(urls[0] ?? '', KNOWN);
    const strange = await openSessions(urls[0] ?? '', STRANGE);
    await useSessions(urls, known, PROCESSES);
    const clients = urls.map((url, index) =>
      known
        .slice(index * CLIENTS_OF_EACH, (index + 1) * CLIENTS_OF_EACH)
        .map((id) => new StandingClient(id, firstAt(url, balancing.choose))),
    );
    await Promise.all(clients.flat().map((each) => each.open()));
    const scene = new Scene(cluster, balancing, clients, known, strange);
    scene.#telling = scene.#tell();
    await scene.#hear(10);
    return scene;
  }

  /**
   * Sees what clients see while something is wrong.
   *
   * @param lastsMs how long it is
   */
  async observe(
    lose: () => unknown,
    { repair = () => undefined, lastsMs = 3000 }: { repair?: () => unknown; lastsMs?: number } = {},
  ): Promise<Observed> {
    const all = this.clients.flat();
    for (const client of all) client.longestSilence = 0;
    const knownCalls = new CallingClients(this.known, this.balancing.choose, 3);
    const strangeCalls = new CallingClients(this.strange, this.balancing.choose, 3);
    await lose();
    await delay(lastsMs);
    await repair();
    const repaired = performance.now();
    await this.#hear(this.#told);
    const healed = performance.now() - repaired;
    await this.#hear(this.#told + 10);
    await Promise.all([knownCalls.stop(), strangeCalls.stop()]);
    return {
      knownCall: Math.max(...knownCalls.latencies),
      strangeCall: Math.max(...strangeCalls.latencies),
      repeated: knownCalls.repeated + strangeCalls.repeated,
      failed: knownCalls.failures.length + strangeCalls.failures.length,
      silence: this.clients.map((each) => Math.max(...each.map(({ longestSilence }) => longestSilence))),
      healed,
    };
  }

  /** Waits until everybody has heard one number. */
  async hearsNumber(n: number): Promise<void> {
    await until(
      () => this.clients.flat().every(({ numbers }) => numbers.includes(n)),
      `number ${n}`,
      LONG_MS,
    );
  }

  /** Ends a process as a deployment does: whoever balances leaves it out first. */
  terminate(index: number): void {
    this.balancing.left.add(index);
    this.cluster.at(index).signal('SIGTERM');
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#telling;
    await Promise.all(this.clients.flat().map((client) => client.close()));
    await this.cluster.stop();
  }

  async #tell(): Promise<void> {
    while (!this.#isOver) {
      const n = this.#told + 1;
      await callTool(this.cluster.urlOf(0), 'announce', { count: 1, from: n });
      this.#told = n;
      await delay(INTERVAL_MS);
    }
  }

  #hear(n: number): Promise<unknown> {
    const hasAll = () => this.clients.flat().every(({ numbers }) => numbers.length >= n);
    const describe = () =>
      `number ${n}: ${this.clients
        .flat()
        .map(({ numbers, refusal }) => `${numbers.length} ${refusal}`)
        .join('; ')}`;
    return until(hasAll, describe, LONG_MS);
  }
}

/** Begins at a process, and goes anywhere after that. */
function firstAt(url: string, goOn: () => string): () => string {
  let isFirst = true;
  return () => {
    const next = isFirst ? url : goOn();
    isFirst = false;
    return next;
  };
}

/** Chooses any process, as a balancer does that does not know who is there, except those that it was told of. */
class Balancing {
  readonly left = new Set<number>();

  constructor(private readonly cluster: ProcessCluster) {}

  readonly choose = (): string => {
    const present = Array.from({ length: PROCESSES }, (_, index) => index).filter(
      (index) => !this.left.has(index),
    );
    return this.cluster.urlOf(present[Math.floor(Math.random() * present.length)] ?? 0);
  };
}
