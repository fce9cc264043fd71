import { setTimeout as delay } from 'node:timers/promises';
import { RUDE_ACTS } from './acts/rude-acts.js';
import { SESSION_ACTS, type Act } from './acts/session-acts.js';
import { STATELESS_ACTS } from './acts/stateless-acts.js';
import { TASK_ACTS } from './acts/task-acts.js';
import { WRONG_ACTS } from './acts/wrong-acts.js';
import { choose, Clock } from './clock.js';
import { SHARES, type Plan } from './options.js';
import { SSE_ACTS, SseVisit } from './sse-visit.js';
import { StatelessCaller } from './stateless-caller.js';
import { assertSame, SessionGone, type Tally } from './tally.js';
import type { Tokens } from './tokens.js';
import { Visit } from './visit.js';
import type { Wire } from './wire.js';

const ACTS: readonly (Act<Visit> & { readonly isRefused: boolean })[] = [
  ...[...SESSION_ACTS, ...RUDE_ACTS, ...TASK_ACTS].map((act) => ({
    ...act,
    run: unlessEnded(act),
    isRefused: false,
  })),
  ...WRONG_ACTS.map((act) => ({ ...act, run: unlessEnded(act), isRefused: true })),
];

/** How a session comes to its end. */
const WAYS_OUT = [
  { way: 'deleted', weight: 5 },
  { way: 'abandoned', weight: 3 },
  { way: 'slept through', weight: 2 },
] as const;

/** Of sessions that read a standing stream. */
const LISTENING = 0.6;
const FEWEST_ACTS = 2;
const MOST_ACTS = 5;
const ANNOUNCEMENT_MS = 1000;

/** Clients of every kind, that come, act in their time, and go; where one has gone another comes. */
export class Population {
  readonly #clock: Clock;
  #lives: Promise<unknown>[] = [];
  #announcing: Promise<unknown> | undefined;
  #isDeserted = false;

  constructor(
    private readonly wire: Wire,
    private readonly tokens: Tokens,
    private readonly tally: Tally,
    private readonly plan: Plan,
  ) {
    this.#clock = new Clock(plan.thinkMs);
  }

  /** Lets the clients come, over as long as one may think. */
  begin(): void {
    const { sessions } = this.plan;
    this.#lives = [
      ...this.#people(sessions, () => this.#liveInSession()),
      ...this.#people(Math.ceil(sessions * SHARES.stateless), () => this.#liveStateless()),
      ...this.#people(Math.ceil(sessions * SHARES.sse), () => this.#liveOnSse()),
    ];
    this.#announcing = this.#announce();
  }

  /** Has every client go, as each one happens to be. */
  async end(): Promise<void> {
    this.#clock.end();
    await Promise.all(this.#lives);
    this.#isDeserted = true;
    await this.#announcing;
  }

  #people(count: number, live: () => Promise<void>): Promise<void>[] {
    return Array.from({ length: count }, async () => {
      while (!this.#clock.isOver) await live();
    });
  }

  async #liveInSession(): Promise<void> {
    const { wire, tally } = this;
    let visit: Visit | undefined;
    // Whoever lost a session comes back in their time: a server that is slow is not stormed by those it let go.
    await this.#clock.think();
    if (this.#clock.isOver) return;
    await tally.run('session opened', async () => {
      visit = await Visit.open(wire, this.plan.bounds, await this.tokens.next());
      if (Math.random() < LISTENING) visit.standing = await visit.read();
    });
    if (visit === undefined) return;
    const opened = visit;
    if (await this.#act(opened, ACTS)) await this.#leave(opened);
    await opened.abandon();
  }

  /** Gives whether a subject came through its acts. */
  async #act<Subject>(
    subject: Subject,
    acts: readonly (Act<Subject> & { readonly isRefused?: boolean })[],
  ): Promise<boolean> {
    const count = FEWEST_ACTS + Math.floor(Math.random() * (MOST_ACTS - FEWEST_ACTS + 1));
    for (let act = 0; act < count; act += 1) {
      await this.#clock.think();
      if (this.#clock.isOver) return false;
      const { name, run, isRefused } = choose(acts);
      if (!(await this.tally.run(name, () => run(subject), isRefused))) return false;
    }
    return true;
  }

  async #leave(visit: Visit): Promise<void> {
    const { way } = choose(WAYS_OUT);
    if (way === 'abandoned') return;
    if (way === 'deleted') {
      await this.tally.run('session deleted', async () => {
        const { status } = await visit.delete();
        // One that has come to the end of its life in the meantime is answered with 404.
        if (status !== 404) assertSame(status < 300, true);
      });
      return;
    }
    await visit.abandon();
    // What its last act has left running counts as a sign of life.
    const { idleTimeoutMs, answerMs } = this.plan.bounds;
    await this.#clock.pause(1.5 * idleTimeoutMs + 2 * answerMs + 1000);
    if (this.#clock.isOver) return;
    await this.tally.run('session slept through', () => expectGone(visit), true);
  }

  async #liveStateless(): Promise<void> {
    await this.#act(new StatelessCaller(this.wire, await this.tokens.next()), STATELESS_ACTS);
  }

  async #liveOnSse(): Promise<void> {
    let visit: SseVisit | undefined;
    await this.#clock.think();
    if (this.#clock.isOver) return;
    await this.tally.run('SSE session opened', async () => {
      visit = await SseVisit.open(this.wire, await this.tokens.next());
    });
    if (visit === undefined) return;
    await this.#act(visit, SSE_ACTS);
    await visit.stream.close();
  }

  /** Has the server tell everybody of something, at an equal rate, while anybody is there. */
  async #announce(): Promise<void> {
    const caller = new StatelessCaller(this.wire, await this.tokens.next());
    while (!this.#isDeserted) {
      await this.tally.run('announcement', async () => {
        await caller.request('tools/call', { name: 'announce', arguments: {} });
      });
      await delay(ANNOUNCEMENT_MS);
    }
  }
}

async function expectGone(visit: Visit): Promise<void> {
  const outcome = await visit.ask('ping').catch((error: unknown) => error);
  assertSame(outcome instanceof SessionGone, true);
}

/** An act may fail in the middle because its session has come to its end. */
function unlessEnded({ run }: Act<Visit>): Act<Visit>['run'] {
  return async (visit) => {
    try {
      await run(visit);
    } catch (error) {
      throw visit.mayHaveEnded ? new SessionGone() : error;
    }
  };
}

/** Runs every act once, so that all code and every cache has been used. */
export async function tour(
  wire: Wire,
  tokens: Tokens,
  { plan, tally }: { plan: Plan; tally: Tally },
): Promise<void> {
  const caller = new StatelessCaller(wire, await tokens.next());
  const announcing = setInterval(() => {
    caller.request('tools/call', { name: 'announce', arguments: {} }).catch(() => undefined);
  }, 100);
  const visit = await Visit.open(wire, plan.bounds, await tokens.next());
  for (const { name, run, isRefused } of ACTS) await tally.run(name, () => run(visit), isRefused);
  for (const { name, run } of STATELESS_ACTS) await tally.run(name, () => run(caller));
  const sse = await SseVisit.open(wire, await tokens.next());
  for (const { name, run } of SSE_ACTS) await tally.run(name, () => run(sse));
  clearInterval(announcing);
  await sse.stream.close();
  await visit.delete();
  await visit.abandon();
}
