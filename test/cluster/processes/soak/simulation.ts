import { setTimeout as delay } from 'node:timers/promises';
import { callTool } from '../../../support/clients/tools.js';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { until } from '../../../support/until.js';
import { costOfEach, readBus, readHeld, type BusCost, type BusReading, type Held } from './bus.js';
import { CallingClients } from './calling-clients.js';
import { openSessions, useSessions, type TakenUp } from './crowd.js';
import type { KeptResponse } from './kept-response.js';
import { ListeningClient } from './listening-client.js';
import type { ClusterPlan } from './options.js';
import { StandingClient } from './standing-client.js';
import { readUsage, usageOfEach, type ProcessUsage } from './usage.js';

/** What each of something takes of one process. */
export type Usage = Pick<ProcessUsage, 'heapBytes' | 'rssBytes'>;

/** What became of the clients of a process that was killed. Times are in milliseconds since then. */
export interface TakeOver {
  /** When standing streams were open elsewhere, and when those had a message. */
  readonly reopened: readonly number[];
  readonly heard: readonly number[];
  /** When streams of `subscriptions/listen` were open elsewhere. */
  readonly listening: readonly number[];
  /** How long calls took meanwhile, of whichever sessions, those that were made again included. */
  readonly calls: readonly number[];
  readonly repeated: number;
}

/** What a simulation has shown. */
export interface Outcome {
  readonly opened: { readonly seconds: number };
  readonly takenUp: TakenUp & { readonly seconds: number };
  /** What each process knows and uses, with all sessions idle. */
  readonly processes: readonly ProcessUsage[];
  readonly ofSession: readonly Usage[];
  readonly ofStream: readonly Usage[];
  readonly bus: BusCost;
  /** What Redis holds when the streams are open, and when all is over. */
  readonly redis: readonly [Held, Held];
  readonly takeOvers: readonly TakeOver[];
  /** Numbers that were told, and what clients say who did not get each of them once, all in the same order. */
  readonly told: number;
  readonly heard: number;
  readonly faults: readonly string[];
}

/** How many messages the tool publishes for each number: a log entry, and an update. */
const OF_NUMBER = 2;
const LONG_MS = 120_000;
const IDLE_MS = 3_000;
const OPENED_AT_ONCE = 50;

/** Drives sessions over several processes of one server, and kills some of these. */
export class Simulation {
  readonly #standing: StandingClient[] = [];
  readonly #listening: ListeningClient[] = [];
  /** Those that had to go to another process. */
  readonly #moved = new Set<KeptResponse>();
  readonly #takeOvers: TakeOver[] = [];
  readonly #faults: string[] = [];
  #told = 0;

  private constructor(
    private readonly plan: ClusterPlan,
    private readonly cluster: ProcessCluster,
    private readonly print: (text: string) => void,
  ) {}

  /**
   * Starts the processes and a Redis, drives them, and ends them.
   *
   * @param print is told what begins
   */
  static async run(plan: ClusterPlan, print: (text: string) => void = () => undefined): Promise<Outcome> {
    const cluster = await ProcessCluster.start({
      // One more opens the sessions, and is gone then.
      count: plan.processes + 1,
      environment: { SESSIONS: String(plan.sessions + plan.streams) },
      nodeOptions: ['--expose-gc'],
    });
    const simulation = new Simulation(plan, cluster, print);
    try {
      return await simulation.#run();
    } finally {
      await simulation.#close();
      await cluster.stop();
    }
  }

  async #run(): Promise<Outcome> {
    const { plan } = this;
    const [ids, opened] = await timed(() => this.#open());
    const fresh = await readUsage(this.#urls);
    this.print(`${plan.sessions} sessions are used, at ${plan.spread} of ${plan.processes} processes each`);
    const [taken, used] = await timed(() => useSessions(this.#urls, ids, plan.spread));
    const full = await readUsage(this.#urls);
    const streaming = await this.#openStreams(ids);
    const { redis } = this.cluster;
    const held = await readHeld(redis);
    const bus = await this.#measureBus();
    for (let kill = 0; kill < plan.kills; kill += 1) await this.#kill(kill % plan.processes, ids);
    await this.#checkListeners();
    await this.#bringBack(ids.slice(plan.streams, plan.streams + plan.returning));
    return {
      opened,
      takenUp: { ...taken, ...used },
      processes: full,
      ofSession: full.map((usage, index) => usageOfEach(usage.sessions, fresh[index] ?? usage, usage)),
      ofStream: streaming.map((usage, index) =>
        usageOfEach(this.#streamsAt(index), full[index] ?? usage, usage),
      ),
      bus,
      redis: [held, await readHeld(redis)],
      takeOvers: this.#takeOvers,
      told: this.#told,
      heard: this.#standing.reduce((sum, { numbers }) => sum + numbers.length, 0),
      faults: this.#faults,
    };
  }

  /** The processes that are there, without the one that has opened the sessions. */
  get #urls(): readonly string[] {
    return this.cluster.processes.slice(0, this.plan.processes).map(({ url }) => url);
  }

  /** Any of them: whoever balances does not know yet which one was killed. */
  readonly #choose = (): string => this.cluster.urlOf(Math.floor(Math.random() * this.plan.processes));

  /** Opens the sessions at a process that ends then: the others never hear of them before they are used. */
  async #open(): Promise<readonly string[]> {
    const { sessions, processes } = this.plan;
    this.print(`${sessions} sessions are opened at a process that ends then`);
    const ids = await openSessions(this.cluster.urlOf(processes), sessions);
    await this.cluster.at(processes).stop();
    return ids;
  }

  async #openStreams(ids: readonly string[]): Promise<readonly ProcessUsage[]> {
    const { streams, listeners } = this.plan;
    this.print(
      `${streams} of them open a standing stream, and ${listeners} clients listen without a session`,
    );
    const standing = ids.slice(0, streams).map((id) => new StandingClient(id, this.#choose));
    const listening = Array.from({ length: listeners }, () => new ListeningClient(this.#choose));
    await openAll([...standing, ...listening]);
    this.#standing.push(...standing);
    this.#listening.push(...listening);
    return readUsage(this.#urls);
  }

  #streamsAt(index: number): number {
    const url = this.#urls[index];
    return [...this.#standing, ...this.#listening].filter((client) => client.url === url).length;
  }

  async #measureBus(): Promise<BusCost> {
    const { messages } = this.plan;
    const { redis } = this.cluster;
    const read = () => readBus(redis);
    const idle: [BusReading, BusReading] = [await read(), (await delay(IDLE_MS), await read())];
    this.print(`${messages} numbers are told, each by any process`);
    const before = await read();
    await this.#tell(this.#urls);
    await this.#awaitAll();
    return costOfEach(messages * OF_NUMBER, [before, await read()], idle);
  }

  /** Has any of some processes tell the next numbers to all. */
  async #tell(urls: readonly string[]): Promise<void> {
    const { messages, intervalMs } = this.plan;
    for (let count = 0; count < messages; count += 1) {
      const n = this.#told + 1;
      await callTool(urls[n % urls.length] ?? '', 'announce', { count: 1, from: n });
      this.#told = n;
      await delay(intervalMs);
    }
  }

  async #kill(index: number, ids: readonly string[]): Promise<void> {
    this.print(`process ${index + 1} of ${this.plan.processes} is killed while the next numbers are told`);
    const killed = this.cluster.at(index);
    const { url } = killed;
    const survivors = this.#urls.filter((other) => other !== url);
    const [standing, listening] = [this.#standing, this.#listening].map((clients: KeptResponse[]) =>
      clients.filter((client) => client.url === url),
    ) as [StandingClient[], ListeningClient[]];
    for (const client of listening) this.#moved.add(client);
    const callers = new CallingClients(ids, this.#choose, this.plan.callers);
    const before = this.#told;
    const telling = this.#tell(survivors);
    await until(() => this.#told >= before + this.plan.messages / 3, 'numbers', LONG_MS);
    const at = performance.now();
    await killed.stop('SIGKILL');
    await telling;
    await this.#awaitAll();
    const isBack = (client: KeptResponse) => client.openedAt > at;
    await until(() => listening.every(isBack), 'clients that listen', LONG_MS).catch(this.#note);
    await callers.stop();
    this.#faults.push(...callers.failures.map((failure) => `a call failed twice: ${failure}`));
    const { latencies: calls, repeated } = callers;
    const since = (times: readonly (number | undefined)[]) => times.map((time) => (time ?? Infinity) - at);
    this.#takeOvers.push({
      reopened: since(standing.map(({ openedAt }) => openedAt)),
      heard: since(standing.map(({ heardAt }) => heardAt)),
      listening: since(listening.map(({ openedAt }) => openedAt)),
      calls,
      repeated,
    });
    await this.cluster.replace(index);
  }

  /** Waits until every client has heard as much as was told, and looks whether it is the same. */
  async #awaitAll(clients: readonly StandingClient[] = this.#standing): Promise<void> {
    const hasAll = () => clients.every(({ numbers }) => numbers.length >= this.#told);
    await until(hasAll, 'all numbers', LONG_MS).catch(this.#note);
    const distinct = new Map(clients.map(({ numbers }) => [numbers.join(), numbers]));
    if (distinct.size > 1) this.#faults.push(`clients heard ${distinct.size} different histories`);
    for (const numbers of distinct.values()) {
      const faults = findFaults(numbers, this.#told);
      if (faults !== undefined) this.#faults.push(faults);
    }
    if (clients.some(({ notices }) => notices > 0))
      this.#faults.push('clients were told that messages are gone');
  }

  /** Who listens without a session is owed what is told while it listens: here, all if its process was never killed. */
  async #checkListeners(): Promise<void> {
    const stayed = this.#listening.filter((client) => !this.#moved.has(client));
    const hasAll = () => stayed.every(({ updates }) => updates >= this.#told);
    await until(hasAll, 'all updates of clients that listen', LONG_MS).catch(this.#note);
    const wrong = stayed.filter(({ updates }) => updates !== this.#told).length;
    if (wrong > 0) this.#faults.push(`${wrong} clients that listen did not hear each update once`);
  }

  async #bringBack(ids: readonly string[]): Promise<void> {
    this.print(`${ids.length} sessions that were idle open their stream`);
    const clients = ids.map((id) => new StandingClient(id, this.#choose));
    this.#standing.push(...clients);
    await openAll(clients);
    await this.#awaitAll(clients);
  }

  readonly #note = (error: unknown): void => void this.#faults.push(String(error));

  async #close(): Promise<void> {
    await Promise.all([...this.#standing, ...this.#listening].map((client) => client.close()));
  }
}

/** Says what is wrong with what a client heard; nothing if it is each number once. */
function findFaults(numbers: readonly number[], last: number): string | undefined {
  const distinct = new Set(numbers);
  const lost = Array.from({ length: last }, (_, index) => index + 1).filter((n) => !distinct.has(n));
  const twice = numbers.length - distinct.size;
  if (lost.length === 0 && twice === 0) return undefined;
  return `a client lost ${lost.length} of ${last} (${lost.slice(0, 5).join()}) and heard ${twice} twice`;
}

async function openAll(clients: readonly KeptResponse[]): Promise<void> {
  for (let next = 0; next < clients.length; next += OPENED_AT_ONCE) {
    await Promise.all(clients.slice(next, next + OPENED_AT_ONCE).map((client) => client.open()));
  }
}

async function timed<Result>(act: () => Promise<Result>): Promise<[Result, { readonly seconds: number }]> {
  const begun = performance.now();
  const result = await act();
  return [result, { seconds: (performance.now() - begun) / 1000 }];
}
