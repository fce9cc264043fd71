import { randomBytes } from 'node:crypto';
import type { OnModuleInit } from '@nestjs/common';
import { type ClusterBus, type MemberReply, Query } from '../cluster/cluster-bus.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { type CallerEnd, type CallerPart, END_CALLER, sumEnded } from './callers/caller-end.js';
import { type CallerTerms, isMeant } from './callers/caller-filter.js';
import type { CallerParts } from './callers/caller-parts.js';
import type { EndedCallers } from './callers/ended-callers.js';
import {
  reportSession,
  type SessionQuestion,
  type SessionReport,
  uniteReports,
} from './callers/listed-session.js';
import type {
  CallerEnded,
  CallerSelector,
  ClusterAnswer,
  EndAllOptions,
  EndedOfCaller,
  SessionCount,
  SessionList,
} from './callers/mcp-sessions.interface.js';
import { parseCallerSelector } from './callers/parse-caller-selector.js';
import { readSessionKey, type Session } from './session.js';
import { SESSION_CHANGE } from './shared/session-change.js';
import { buildRecordKey, SessionField } from './shared/session-record.js';
import type { SharedSessions } from './shared/shared-sessions.js';
import type { SessionRegistry } from './session-registry.js';

/** The maximum and the default number of listed sessions. */
const MOST_LISTED = 1000;
const LISTED = 100;

/** The pattern of session keys, which processes use to identify sessions. */
const KEY = /^[\w-]{22}$/;

const ENDED = 'The application ended the session';
const ENDED_WITH_CALLER = 'The application ended everything that belongs to the caller';

const COUNT = new Query<Omit<SessionQuestion, 'limit'>, SessionSample>('sessions.count');
const LIST = new Query<SessionQuestion, readonly SessionReport[]>('sessions.list');
const END = new Query<{ readonly key: string }, boolean>('sessions.end');

/**
 * Counts, lists and ends a server's sessions across all of its processes.
 *
 * @example
 * constructor(private readonly sessions: McpSessions) {}
 *
 * async logOutEverywhere(userId: string) {
 *   await this.sessions.endAll({ subject: userId });
 * }
 */
export class McpSessions implements OnModuleInit, CallerPart {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly bus: ClusterBus,
    private readonly parts: CallerParts,
    private readonly ended: EndedCallers,
    private readonly shared: SharedSessions,
    private readonly settings: Pick<ServerSettings, 'auth' | 'sessions'>,
  ) {}

  onModuleInit(): void {
    this.bus.respond(COUNT, ({ terms }) => sampleSessions(listKeys(this.#select(terms))));
    this.bus.respond(LIST, (question) => this.#report(question));
    this.bus.respond(END, ({ key }) => this.#end(key));
    this.bus.onGap(() => void this.#lookAgain());
  }

  /**
   * Counts all sessions, or one caller's sessions. It waits up to 5 seconds for processes that do not respond,
   * including killed processes that still count as alive.
   *
   * @throws {TypeError} if the selector does not identify a caller
   */
  async count(caller?: CallerSelector): Promise<SessionCount> {
    const terms = this.#parse(caller);
    if (!this.bus.isShared) {
      return { sessions: [...this.#select(terms)].length, isExact: true, isComplete: true };
    }
    const { replies, isComplete } = await this.#requestAll(COUNT, { ...(terms && { terms }) });
    const { size, isExact } = countSampled(replies);
    return { sessions: size, isExact, isComplete };
  }

  /**
   * Lists all sessions, or one caller's sessions.
   *
   * @param options the maximum number of sessions to list, up to 1000
   * @throws {TypeError} if the selector does not identify a caller
   */
  async list(
    caller?: CallerSelector,
    { limit = LISTED }: { readonly limit?: number } = {},
  ): Promise<SessionList> {
    const terms = this.#parse(caller);
    const most = Math.min(Math.max(Math.trunc(limit), 1), MOST_LISTED);
    const question = { ...(terms && { terms }), limit: most + 1 };
    const { replies, isComplete } = await this.#requestAll(LIST, question);
    const sessions = uniteReports(replies.flat());
    return { sessions: sessions.slice(0, most), hasMore: sessions.length > most, isComplete };
  }

  /**
   * Ends the session with a `key` or an id, and returns whether a process knew it. From then on, the session's
   * requests are rejected with 404, even if no process knew it, and the client starts a new session. Its calls are
   * cancelled, its pending input requests are abandoned and its streams are closed.
   */
  async end(session: string): Promise<boolean> {
    const key = readSessionKey(session);
    if (await this.#end(key)) return true;
    if (!KEY.test(key)) return false;
    if (this.bus.isShared && (await this.#requestAll(END, { key })).replies.includes(true)) return true;
    const { expires = Date.now() + this.settings.sessions.lifetimeMs } =
      this.registry.readTicket(session) ?? {};
    await this.#forbid(key, expires);
    return false;
  }

  /**
   * Ends a caller's sessions, streams, running calls and pending input requests. It reaches every process,
   * including processes that start later, and forgets the caller's validated tokens. A token that is still valid can open
   * new sessions, so revoke it first.
   *
   * @throws {TypeError} if the selector does not identify a caller
   */
  async endAll(caller: CallerSelector, { tasks = false }: EndAllOptions = {}): Promise<CallerEnded> {
    const end: CallerEnd = {
      id: randomBytes(9).toString('base64url'),
      terms: parseCallerSelector(caller, this.settings.auth),
      at: this.bus.now,
      withTasks: tasks,
      member: this.bus.member,
    };
    // In this process, it takes effect before the first await.
    const endingHere = this.parts.endOf(end);
    this.ended.publish(end);
    const [{ replies, isComplete }] = await Promise.all([this.#requestAll(END_CALLER, end), endingHere]);
    return { ...sumEnded(replies), isComplete };
  }

  endOf({ terms, at }: CallerEnd): Partial<EndedOfCaller> {
    const theirs = [...this.#select(terms)].filter(({ opened }) => opened <= at);
    for (const session of theirs) void this.registry.end(session, ENDED_WITH_CALLER);
    return { sessions: theirs.length };
  }

  /** This process may have missed a logout that the records contain. */
  async #lookAgain(): Promise<void> {
    const find = async (key: string) => this.bus.shared?.find(key).catch(() => undefined);
    for (const session of [...this.registry.all()]) {
      const isEnded = await this.ended.isEnded(session, session.opened, find);
      if (isEnded) void this.registry.end(session, ENDED_WITH_CALLER);
    }
  }

  /** Rejects a session that no process currently knows, because any process could resume it from its id alone. */
  async #forbid(key: string, expires: number): Promise<void> {
    this.registry.endHere(key, expires, ENDED);
    if (!this.bus.isShared) return;
    const change = { key: buildRecordKey(key), set: { [SessionField.ended]: '1' }, expires };
    this.bus.publish(SESSION_CHANGE, { key, ended: expires }, change);
    await this.bus.acknowledged();
  }

  #parse(caller: CallerSelector | undefined): CallerTerms | undefined {
    return caller && parseCallerSelector(caller, this.settings.auth);
  }

  *#select(terms: CallerTerms | undefined): Generator<Session> {
    for (const session of this.registry.all()) {
      if (!session.isOver && (terms === undefined || isMeant(terms, session))) yield session;
    }
  }

  #report({ terms, limit }: SessionQuestion): readonly SessionReport[] {
    return [...this.#select(terms)]
      .toSorted((one, two) => two.lastActive - one.lastActive)
      .slice(0, limit)
      .map(reportSession);
  }

  async #end(key: string): Promise<boolean> {
    const session = this.registry.findByKey(key);
    if (session === undefined) return false;
    await this.shared.end(session, ENDED);
    return true;
  }

  /** Queries every process, and reports whether all of them responded. */
  async #requestAll<Body extends object, Reply>(
    query: Query<Body, Reply>,
    body: Body,
  ): Promise<ClusterAnswer & { readonly replies: readonly Reply[] }> {
    const [members, replies] = await Promise.all([this.#listMembers(), this.bus.requestAll(query, body)]);
    const answered = new Set(replies.map(({ member }: MemberReply<Reply>) => member));
    return {
      replies: replies.map(({ reply }) => reply),
      isComplete: members?.every((member) => answered.has(member)) === true,
    };
  }

  /** Returns `undefined` if the members are currently unknown. */
  async #listMembers(): Promise<readonly string[] | undefined> {
    const { shared, member, isConnected } = this.bus;
    if (shared === undefined) return [member];
    return isConnected ? shared.members().catch(() => undefined) : undefined;
  }
}

function listKeys(sessions: Iterable<Session>): readonly string[] {
  return [...sessions].map(({ key }) => key);
}

/**
 * A sample of a process's sessions. Selection depends only on session keys, so samples from several processes can be
 * merged.
 */
export interface SessionSample {
  /** The sample contains one of every 2 ** `bits` sessions. */
  readonly bits: number;
  /** The prefixes of their keys, concatenated. */
  readonly keys: string;
}

/** The number of sessions in all samples. */
export interface SampleCount {
  readonly size: number;
  /** Whether the samples contain every session. */
  readonly isExact: boolean;
}

/** Characters of a key that identify a session: 48 random bits. */
const LENGTH = 8;

const MOST_KEYS = 10_000;

/** Samples sessions. The sample contains all of them unless there are too many to send. */
export function sampleSessions(keys: Iterable<string>): SessionSample {
  let bits = 0;
  let stored: string[] = [];
  for (const key of keys) {
    const begin = key.slice(0, LENGTH);
    if (isSampled(begin, bits)) stored.push(begin);
    while (stored.length > MOST_KEYS) {
      bits += 1;
      stored = stored.filter(select(bits));
    }
  }
  return { bits, keys: stored.join('') };
}

/** Counts the distinct sessions of several processes, which may share some. */
export function countSampled(samples: readonly SessionSample[]): SampleCount {
  const bits = Math.max(0, ...samples.map((sample) => sample.bits));
  const keys = new Set(samples.flatMap((sample) => split(sample.keys)).filter(select(bits)));
  return { size: keys.size * 2 ** bits, isExact: bits === 0 };
}

function select(bits: number): (key: string) => boolean {
  return (key) => isSampled(key, bits);
}

function isSampled(key: string, bits: number): boolean {
  return bits === 0 || Buffer.from(key, 'base64url').readUIntBE(0, 6) % 2 ** bits === 0;
}

function split(keys: string): readonly string[] {
  return keys.match(/.{8}/g) ?? [];
}
