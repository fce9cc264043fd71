import { logError } from '../../core/log/describe-failure.js';
import { Logger } from '../../core/logger/logger.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { withTimeout } from '../../core/async/timeouts.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import { ClusterBusError, ClusterTimeouts, type MemberReply } from './cluster-bus.js';
import type { Envelopes } from './envelopes.js';

/** Milliseconds by which processes may differ about the time of the engine. */
const CLOCKS_MS = 1000;

/** Milliseconds for which a process that was stalled still takes what it was told. */
const TOLD_MS = 60_000;

const DEFAULT_WAITS = new ClusterTimeouts();

/** Questions that wait for an answer at once: those beyond are refused. */
const MOST_WAITING = 10_000;

type Reply = (body: never, member: string) => unknown;

interface Waiting {
  /** Who was asked: nobody else answers. */
  readonly member: string;
  readonly resolve: (message: Extract<InboxMessage, { kind: 'reply' }>) => void;
}

/** The parts of an inbox. */
export interface InboxParts {
  readonly member: string;
  readonly envelopes: Envelopes;
  /** @default those of the product */
  readonly waits?: Pick<ClusterTimeouts, 'answerMs'> | undefined;
  /** Sends a text to one process or to all. Returns how many processes received it. */
  readonly send: (text: string, member?: string) => Promise<number>;
  /** The time in milliseconds of the epoch, by a clock that all processes share. */
  readonly now: () => number;
  /** Takes what processes tell. */
  readonly take: (topic: string, body: object) => void;
  /** Absent if no spans are recorded. */
  readonly traces?: TraceCarrier | undefined;
}

/** Asks and answers other processes, each question bounded in time. */
export class Inbox {
  readonly #logger = new Logger('McpCluster');
  readonly #due = new OncePerMinute();
  readonly #replies = new Map<string, Reply>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #taken = new ReceivedMessages();
  #sent = 0;

  constructor(private readonly parts: InboxParts) {}

  answer(topic: string, reply: Reply): void {
    this.#replies.set(topic, reply);
  }

  tell(topic: string, body: object, member?: string): void {
    const text = this.#format({ kind: 'tell', ...this.#number(TOLD_MS), to: member, topic, body });
    this.parts.send(text, member).catch(() => undefined);
  }

  async ask(topic: string, body: object, member: string): Promise<unknown> {
    const { reply, failure } = await this.#ask(topic, body, member);
    if (failure !== undefined) throw new ClusterBusError('failed', failure);
    return reply;
  }

  /** Asks several processes, and this one, and gives the answers that came in time. */
  async requestAll(
    topic: string,
    body: object,
    members: readonly string[],
  ): Promise<readonly MemberReply<unknown>[]> {
    const others = members.filter((member) => member !== this.parts.member);
    const asked = others.map(async (member) => ({ member, reply: await this.ask(topic, body, member) }));
    const [settled, own] = await Promise.all([Promise.allSettled(asked), this.#askHere(topic, body)]);
    return [...settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])), ...own];
  }

  /** Returns what this process itself answers; nothing if it has no answer. */
  async #askHere(topic: string, body: object): Promise<readonly MemberReply<unknown>[]> {
    const { member } = this.parts;
    const { reply, failure } = await this.#findReply(topic, body, member);
    return failure === undefined ? [{ member, reply }] : [];
  }

  /** Takes a message that was sent to this process. */
  receive(text: string): void {
    const { member, envelopes, take } = this.parts;
    const content = envelopes.open(text, 'inbox');
    const message = content && parseInboxMessage(content);
    if (message === undefined || (message.to ?? member) !== member) return;
    if (message.kind === 'reply') return this.#takeReply(message);
    // A message to all others also comes back to its sender. Askers have continued without a process that was stalled.
    if (message.kind === 'tell' && message.from === member) return;
    if (!this.#taken.take(message, this.parts.now())) return;
    if (message.kind === 'ask') void this.#resume(message.trace, () => this.#reply(message));
    else this.#resume(message.trace, () => take(message.topic, message.body));
  }

  /** Says who sends a message, which one it is, until when it counts, and what it is part of. */
  #number(forMs: number) {
    this.#sent += 1;
    const { member, traces } = this.parts;
    return { from: member, id: this.#sent, until: this.parts.now() + forMs, trace: traces?.carry() };
  }

  #resume<Result>(trace: CarriedTrace | undefined, act: () => Result): Result {
    const { traces } = this.parts;
    return trace === undefined || traces === undefined ? act() : traces.resume(trace, act);
  }

  #takeReply(message: Extract<InboxMessage, { kind: 'reply' }>): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting?.member === message.from) waiting.resolve(message);
  }

  #format(message: InboxMessage): string {
    return this.parts.envelopes.seal(message, 'inbox');
  }

  async #ask(topic: string, body: object, member: string): Promise<Extract<InboxMessage, { kind: 'reply' }>> {
    if (this.#waiting.size >= MOST_WAITING) {
      throw new ClusterBusError('timeout', 'Too many questions wait for other processes');
    }
    const { answerMs } = this.parts.waits ?? DEFAULT_WAITS;
    const numbered = this.#number(answerMs + CLOCKS_MS);
    const { id } = numbered;
    const answered = new Promise<Extract<InboxMessage, { kind: 'reply' }>>((resolve) => {
      this.#waiting.set(id, { member, resolve });
    });
    try {
      const text = this.#format({ kind: 'ask', ...numbered, to: member, topic, body });
      await this.#send(text, member, topic);
      return await withTimeout(answered, answerMs, () => createLateError(topic, answerMs));
    } finally {
      this.#waiting.delete(id);
    }
  }

  async #send(text: string, member: string, topic: string): Promise<void> {
    const receivers = await this.parts.send(text, member).catch((cause: unknown) => {
      throw new ClusterBusError('timeout', `The engine did not take "${topic}"`, { cause });
    });
    if (receivers > 0) return;
    throw new ClusterBusError('unreachable', `There is no process "${member}" that could answer "${topic}"`);
  }

  async #reply({ from, topic, body, id }: Extract<InboxMessage, { kind: 'ask' }>): Promise<void> {
    const answer = await this.#findReply(topic, body, from);
    const text = this.#format({ kind: 'reply', from: this.parts.member, to: from, id, ...answer });
    await this.parts.send(text, from).catch(() => undefined);
  }

  async #findReply(
    topic: string,
    body: object,
    from: string,
  ): Promise<{ readonly reply?: unknown; readonly failure?: string }> {
    const reply = this.#replies.get(topic);
    if (reply === undefined) return { failure: `"${topic}" is not known here` };
    try {
      return { reply: await reply(body as never, from) };
    } catch (error) {
      // Clients may be the cause of it, again and again.
      if (this.#due.isDue(topic)) logError(this.#logger, error);
      return { failure: `"${topic}" failed` };
    }
  }
}

function createLateError(topic: string, answerMs: number): ClusterBusError {
  return new ClusterBusError('timeout', `No process answered "${topic}" in ${answerMs} ms`);
}

interface Addressed {
  readonly from: string;
  /** The recipient; absent if the message is for all. */
  readonly to?: string | undefined;
}

interface InboxRequest extends Addressed {
  /** The number that its sender gave it: it is taken once. */
  readonly id: number;
  /** Until when it counts, in milliseconds of the epoch, by a clock that all processes share. */
  readonly until: number;
  readonly topic: string;
  readonly body: object;
  /** What the sender did it as part of; absent if that was no span. */
  readonly trace?: CarriedTrace | undefined;
}

/** A message that one process sends to another. */
type InboxMessage =
  | ({ readonly kind: 'tell' } & InboxRequest)
  | ({ readonly kind: 'ask' } & InboxRequest)
  | ({
      readonly kind: 'reply';
      readonly id: number;
      readonly reply?: unknown;
      readonly failure?: string;
    } & Addressed);

/** Reads a message. Returns `undefined` if it is none that this release understands. */
function parseInboxMessage(content: object): InboxMessage | undefined {
  const { kind, from, to, id, until, topic, body, failure, trace } = content as Record<string, unknown>;
  if (typeof from !== 'string' || (to !== undefined && typeof to !== 'string')) return undefined;
  if (typeof id !== 'number') return undefined;
  const isKnown =
    kind === 'reply'
      ? failure === undefined || typeof failure === 'string'
      : (kind === 'tell' || kind === 'ask') &&
        typeof until === 'number' &&
        typeof topic === 'string' &&
        isObject(body) &&
        isTrace(trace);
  return isKnown ? (content as InboxMessage) : undefined;
}

function isTrace(trace: unknown): boolean {
  return (
    trace === undefined || (isObject(trace) && Object.values(trace).every((text) => typeof text === 'string'))
  );
}

/** Who sent a message, which of theirs it is, and until when it counts. */
interface Numbered {
  readonly from: string;
  readonly id: number;
  /** Milliseconds of the epoch, by a clock that all processes share. */
  readonly until: number;
}

/** The newest messages that are remembered. */
const MOST_REMEMBERED = 16_384;

/** Remembers which messages were taken: whoever can write into the engine can send one again, as long as it counts. */
export class ReceivedMessages {
  /** Until when each counts, in the order in which they came. */
  readonly #ends = new Map<string, number>();

  /** Tells whether a message still counts and is taken for the first time. */
  take({ from, id, until }: Numbered, now: number): boolean {
    const key = `${from}:${id}`;
    if (now > until || this.#ends.has(key)) return false;
    this.#forget(now);
    this.#ends.set(key, until);
    return true;
  }

  #forget(now: number): void {
    for (const [key, until] of this.#ends) {
      if (until >= now && this.#ends.size < MOST_REMEMBERED) return;
      this.#ends.delete(key);
    }
  }
}

/** What names a span to another process, as headers would. */
export type CarriedTrace = { readonly [name: string]: string };

/** Keeps the trace of a client whole if its message continues in another process. */
export interface TraceCarrier {
  /** Names the span that is active here. Returns `undefined` if none is. */
  carry(): CarriedTrace | undefined;
  /** Runs a function as part of what another process named. */
  resume<Result>(carried: CarriedTrace, act: () => Result): Result;
}
