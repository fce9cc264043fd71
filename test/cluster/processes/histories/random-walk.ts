import type { Answer } from '../../../support/clients/call.js';
import { initialize, perRequest, type SessionClient } from '../../../support/clients/json-rpc.js';
import { textOfCall } from '../../../support/clients/tools.js';
import { KeptStream } from '../../../support/cluster/kept-stream.js';
import type { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { doubt, EntryAccounts, type WantedLevel } from '../../../support/cluster/entry-accounts.js';
import {
  describe,
  SharedHistory,
  type Interest,
  type Level,
} from '../../../support/cluster/shared-history.js';
import type { Dice } from '../../../support/dice.js';
import { until } from '../../../support/until.js';
import { AGAIN_MS, CLIENTS, LATE_MS, LEVELS, LONG_MS, URIS } from './steps.js';

/** A client that walks along. */
export interface Walker {
  readonly name: string;
  readonly session: SessionClient;
  readonly stream: KeptStream;
  /** The process that it asked for its stream last. */
  at: number;
  readonly interests: [number, Interest][];
  readonly levels: WantedLevel[];
  readonly settled: number[];
}

/** What was published, and not heard yet by everybody who watches. */
interface Pending {
  readonly text: string;
  readonly process: number;
  /** Whether it must come. */
  isSure: boolean;
  /** Whether its process said that it is kept, whatever becomes of the process. */
  isSettled: boolean;
}

/** How often each step of a walk is taken. */
export type Weights<Walk> = { readonly [Step in keyof Walk]?: number };

/** Publishes, subscribes, comes and goes, and ill-treats a server at random, and keeps account of what each client is owed. */
export class RandomWalk {
  readonly steps: string[] = [];
  protected readonly walkers: Walker[] = [];
  readonly #witnesses: Walker[] = [];
  readonly #entries = new EntryAccounts();
  readonly #history = new SharedHistory(() => this.#witnesses.map(({ stream }) => stream), this.#entries);
  /** What was published since everybody had heard all; it may be lost if it is not sure. */
  #pending: Pending[] = [];
  readonly #lost: string[] = [];
  /** Processes that stand still. */
  protected readonly stopped = new Set<number>();
  #published = 0;
  #signs = 0;
  protected isSure = true;
  #settledAt = 0;
  protected mayLose = false;

  constructor(
    protected readonly cluster: ProcessCluster,
    protected readonly dice: Dice,
  ) {}

  async begin(): Promise<void> {
    for (const index of this.cluster.processes.keys()) {
      this.#witnesses.push(await this.#open(`witness ${index}`, () => index));
    }
    for (let count = 0; count < CLIENTS; count += 1) {
      this.walkers.push(await this.#open(`client ${count}`, () => this.anyProcess()));
    }
    for (const witness of this.#witnesses) await this.want(witness, { level: 'debug', uris: new Set(URIS) });
    for (const walker of this.walkers) await this.want(walker, this.#anyInterest());
    await this.settle();
    for (const { interests } of this.all()) interests[0]![0] = this.#history.published.length;
  }

  /** Does something, as often as its weight says. */
  async go(weights: Weights<this>): Promise<void> {
    const entries = Object.entries(weights as Record<string, number>);
    let rest = this.dice.throw(entries.reduce((total, [, weight]) => total + weight, 0));
    for (const [step, weight] of entries) {
      rest -= weight;
      if (rest >= 0) continue;
      this.steps.push(step);
      return (this[step as keyof this] as () => Promise<void>)();
    }
  }

  /** Lets everybody come back and hear the last, and gives what is wrong. */
  async end(): Promise<readonly string[]> {
    for (const { stream } of this.walkers) stream.comeBack();
    await this.settle(this.all());
    const faults = this.all().flatMap((walker) => this.#history.check(walker, this.mayLose));
    return [...this.#lost, ...faults];
  }

  async close(): Promise<void> {
    await Promise.all(this.all().map(({ stream }) => stream.close()));
  }

  /** Waits until some clients, or the witnesses, have heard what every process published until now. */
  async settle(listeners: readonly Walker[] = this.#witnesses): Promise<void> {
    const isSettled = async (): Promise<boolean> => {
      const signs: string[] = [];
      for (const process of this.cluster.processes.keys()) {
        this.#signs += 1;
        signs.push(`error sign ${this.#signs}`);
        await this.#call(process, 'say', { level: 'error', text: `sign ${this.#signs}` });
      }
      return until(
        () => listeners.every(({ stream }) => hasHeard(stream, signs)),
        'the signs',
        AGAIN_MS,
      ).then(
        () => true,
        () => false,
      );
    };
    const describeSilent = (): string =>
      `signs to be heard; refused: ${listeners.map(({ name, stream }) => `${name} ${stream.refusals.slice(-1).join()} ${stream.heard.length}`).join('; ')}`;
    await until(isSettled, describeSilent, LONG_MS);
    await until(() => this.#account(), 'what is missing', LATE_MS).catch(() => {
      this.#lost.push(...this.#missing().map((text) => `${text} came to nobody`));
      this.#pending = [];
    });
    this.isSure = true;
    const now = (this.#settledAt = performance.now());
    for (const { settled } of listeners) settled.push(now);
    // Every process has said something since they were changed.
    for (const level of this.#listLevels()) if (!level.isLost) level.sure = Math.min(level.sure, now);
  }

  /** Takes what was heard; tells whether that is all that was published for sure. Of two alike, the one that is sure was heard. */
  #account(): boolean {
    for (const { message } of this.#history.take()) {
      const alike = this.#pending.filter(({ text }) => text === describe(message));
      const heard = alike.find(({ isSure }) => isSure) ?? alike[0];
      this.#pending = this.#pending.filter((pending) => pending !== heard);
    }
    if (this.#missing().length > 0) return false;
    this.#pending = [];
    return true;
  }

  #missing(): readonly string[] {
    return this.#pending.filter(({ isSure }) => isSure && this.isSure).map(({ text }) => text);
  }

  async say(process = this.anyProcess(), isSettled = this.dice.throw(2) === 0): Promise<void> {
    const level = this.dice.pick(LEVELS);
    this.#published += 1;
    const text = `number ${this.#published}`;
    this.#entries.ask(text, level, process);
    const pending = { text: `${level} ${text}`, process, isSure: true, isSettled: false };
    this.#pending.push(pending);
    const said = await this.#call(process, 'sayNumbered', { level, text, isSettled });
    pending.isSettled = said === 'sure';
  }

  async update(process = this.anyProcess()): Promise<void> {
    const uri = this.dice.pick(URIS);
    await this.#publish(process, 'update', { uri }, `notifications/resources/updated ${uri}`);
  }

  /** What each process lists stays the same: a session that another one takes up would be told of the difference. */
  async changeList(): Promise<void> {
    await this.#publish(this.anyProcess(), 'tellList', {}, 'notifications/tools/list_changed ');
  }

  /** Several processes at once. */
  async burst(): Promise<void> {
    await Promise.all(
      Array.from({ length: 10 }, () => (this.dice.throw(2) === 0 ? this.say() : this.update())),
    );
  }

  /** Whoever changes what it wants has heard everything before: what was missed is told by what is wanted then. */
  async changeInterest(): Promise<void> {
    const walker = this.dice.pick(this.walkers.filter(({ stream }) => !stream.isAway));
    await this.settle([...this.#witnesses, walker]);
    await this.want(walker, this.#anyInterest());
  }

  lose(): Promise<void> {
    this.dice.pick(this.walkers).stream.lose();
    return Promise.resolve();
  }

  leave(): Promise<void> {
    const present = this.walkers.filter(({ stream }) => !stream.isAway);
    if (present.length > 2) this.dice.pick(present).stream.leave();
    return Promise.resolve();
  }

  comeBack(): Promise<void> {
    this.walkers.find(({ stream }) => stream.isAway)?.stream.comeBack();
    return Promise.resolve();
  }

  /** What it published last may not have left it, unless it said that it had. */
  protected async kill(index: number): Promise<void> {
    const killed = this.cluster.at(index).stop('SIGKILL');
    for (const pending of this.#pending) if (pending.process === index) pending.isSure = pending.isSettled;
    for (const level of this.#listLevels()) {
      if (level.process !== index || level.sure <= this.#settledAt) continue;
      level.sure = Infinity;
      level.isLost = true;
    }
    await killed;
  }

  #listLevels(): readonly WantedLevel[] {
    return this.all().flatMap(({ levels }) => levels);
  }

  protected all(): readonly Walker[] {
    return [...this.#witnesses, ...this.walkers];
  }

  async #open(name: string, choose: () => number): Promise<Walker> {
    const session = await initialize(this.cluster.urlOf(choose()));
    const walker: Omit<Walker, 'stream'> = { name, session, at: 0, interests: [], levels: [], settled: [] };
    const find = () => {
      const at = choose();
      // It may be a process that has not heard yet what the client wants.
      if (at !== walker.at) doubt(walker.levels, this.#settledAt);
      walker.at = at;
      return session.at(this.cluster.urlOf(at));
    };
    return Object.assign(walker, { stream: await KeptStream.open(session, find) });
  }

  /** What a client is told of changes with its answer: what is published afterwards is meant for what it wants then. */
  protected async want(walker: Walker, interest: Interest): Promise<void> {
    const { session, interests } = walker;
    const at = () => session.at(this.cluster.urlOf(this.anyProcess()));
    for (const uri of URIS) {
      const method = interest.uris.has(uri) ? 'resources/subscribe' : 'resources/unsubscribe';
      await answered(at().request(method, { uri }));
    }
    await this.wantLevel(walker, interest.level, this.anyProcess());
    interests.push([this.#history.published.length, interest]);
  }

  /** Sets a level at a process, which counts there at once. */
  protected async wantLevel({ session, levels }: Walker, level: Level, process: number): Promise<void> {
    const wanted = {
      level,
      asked: performance.now(),
      sure: Infinity,
      process,
      hasMoved: false,
      isLost: false,
    };
    levels.push(wanted);
    await answered(session.at(this.cluster.urlOf(process)).request('logging/setLevel', { level }));
    // It may have gone to another process before it was answered.
    if (!wanted.hasMoved) wanted.sure = performance.now();
  }

  async #publish(process: number, tool: string, parameters: object, text: string): Promise<void> {
    this.#pending.push({ text, process, isSure: true, isSettled: false });
    await this.#call(process, tool, parameters);
  }

  async #call(process: number, name: string, parameters: object): Promise<string> {
    const client = perRequest(this.cluster.urlOf(process));
    return textOfCall(await answered(client.request('tools/call', { name, arguments: parameters })));
  }

  protected anyProcess(): number {
    return this.dice.pick([...this.cluster.processes.keys()].filter((index) => !this.stopped.has(index)));
  }

  protected anyLevel(): Level {
    return this.dice.pick(LEVELS);
  }

  #anyInterest(): Interest {
    return { level: this.anyLevel(), uris: new Set(URIS.filter(() => this.dice.throw(2) === 0)) };
  }
}

async function answered(answer: Promise<Answer>): Promise<NonNullable<Answer['result']>> {
  const { result, status, response } = await answer;
  if (result === undefined) throw new Error(`Answered with ${status} ${JSON.stringify(response)}`);
  return result;
}

/** Signs without a place were told in one process alone. */
function hasHeard({ heard }: KeptStream, signs: readonly string[]): boolean {
  const last = heard.slice(-400).filter(({ id }) => id !== undefined && id !== '');
  const texts = new Set(last.map(({ message }) => describe(message)));
  return signs.every((sign) => texts.has(sign));
}
