import { logError } from '../../core/log/describe-failure.js';
import { Logger } from '../../core/logger/logger.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { withTimeout } from '../../core/async/timeouts.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import { ClusterBusError, ClusterTimeouts, type MemberReply } from './cluster-bus.js';
import type { Envelopes } from './envelopes.js';

/** The maximum difference between the processes' clocks, in milliseconds. */
const CLOCKS_MS = 1000;

/** How long a stalled process still accepts a message, in milliseconds. */
const MESSAGE_MS = 60_000;

const DEFAULT_WAITS = new ClusterTimeouts();

/** The maximum number of requests waiting for a reply. Further ones are rejected. */
const MOST_WAITING = 10_000;

type Reply = (body: never, member: string) => unknown;

interface Waiting {
  /** The process that received the request. Replies from other processes are ignored. */
  readonly member: string;
  readonly resolve: (message: Extract<InboxMessage, { kind: 'reply' }>) => void;
}

/** An inbox's dependencies. */
export interface InboxParts {
  readonly member: string;
  readonly envelopes: Envelopes;
  /** @default the production timeouts */
  readonly waits?: Pick<ClusterTimeouts, 'answerMs'> | undefined;
  /** Sends a string to one process or to all. Returns how many processes received it. */
  readonly send: (text: string, member?: string) => Promise<number>;
  /** The time in milliseconds since the epoch, from a clock that all processes share. */
  readonly now: () => number;
  /** Receives messages. */
  readonly take: (topic: string, body: object) => void;
  /** Absent if no spans are recorded. */
  readonly traces?: TraceCarrier | undefined;
}

/** Exchanges messages, requests and replies with other processes. Each request has a timeout. */
export class Inbox {
  readonly #logger = new Logger('McpCluster');
  readonly #due = new OncePerMinute();
  readonly #replies = new Map<string, Reply>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #taken = new ReceivedMessages();
  #sent = 0;

  constructor(private readonly parts: InboxParts) {}

  respond(topic: string, reply: Reply): void {
    this.#replies.set(topic, reply);
  }

  send(topic: string, body: object, member?: string): void {
    const text = this.#format({ kind: 'tell', ...this.#number(MESSAGE_MS), to: member, topic, body });
    this.parts.send(text, member).catch(() => undefined);
  }

  async request(topic: string, body: object, member: string): Promise<unknown> {
    const { reply, failure } = await this.#ask(topic, body, member);
    if (failure !== undefined) throw new ClusterBusError('failed', failure);
    return reply;
  }

  /** Sends a request to several processes and this one, and returns the replies that arrive in time. */
  async requestAll(
    topic: string,
    body: object,
    members: readonly string[],
  ): Promise<readonly MemberReply<unknown>[]> {
    const others = members.filter((member) => member !== this.parts.member);
    const asked = others.map(async (member) => ({ member, reply: await this.request(topic, body, member) }));
    const [settled, own] = await Promise.all([Promise.allSettled(asked), this.#askHere(topic, body)]);
    return [...settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])), ...own];
  }

  /** Returns this process's reply. Empty if it has none. */
  async #askHere(topic: string, body: object): Promise<readonly MemberReply<unknown>[]> {
    const { member } = this.parts;
    const { reply, failure } = await this.#findReply(topic, body, member);
    return failure === undefined ? [{ member, reply }] : [];
  }

  /** Processes a message that was sent to this process. */
  receive(text: string): void {
    const { member, envelopes, take } = this.parts;
    const content = envelopes.open(text, 'inbox');
    const message = content && parseInboxMessage(content);
    if (message === undefined || (message.to ?? member) !== member) return;
    if (message.kind === 'reply') return this.#takeReply(message);
    // A process that sends a message to all receives it too. Requests and messages that arrive late in a stalled process
    // are ignored, because the sender has continued without it.
    if (message.kind === 'tell' && message.from === member) return;
    if (!this.#taken.take(message, this.parts.now())) return;
    if (message.kind === 'ask') void this.#resume(message.trace, () => this.#reply(message));
    else this.#resume(message.trace, () => take(message.topic, message.body));
  }

  /** Builds a message's header: its sender, number, expiry and trace context. */
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
      throw new ClusterBusError('timeout', 'Too many requests to other processes are waiting for a reply');
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
      throw new ClusterBusError('timeout', `The backend did not accept "${topic}"`, { cause });
    });
    if (receivers > 0) return;
    throw new ClusterBusError('unreachable', `There is no process "${member}" to respond to "${topic}"`);
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
    if (reply === undefined) return { failure: `"${topic}" is unknown in this process` };
    try {
      return { reply: await reply(body as never, from) };
    } catch (error) {
      // Clients may cause the error repeatedly.
      if (this.#due.isDue(topic)) logError(this.#logger, error);
      return { failure: `"${topic}" failed` };
    }
  }
}

function createLateError(topic: string, answerMs: number): ClusterBusError {
  return new ClusterBusError('timeout', `No process responded to "${topic}" within ${answerMs} ms`);
}

interface Addressed {
  readonly from: string;
  /** The recipient; absent if the message is for all. */
  readonly to?: string | undefined;
}

interface InboxRequest extends Addressed {
  /** The number that its sender assigned. It is processed once. */
  readonly id: number;
  /** When it expires, in milliseconds since the epoch, on a clock that all processes share. */
  readonly until: number;
  readonly topic: string;
  readonly body: object;
  /** The sender's span. Absent if there was none. */
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

/** Parses a message. Returns `undefined` if this release does not understand it. */
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

/** A message's sender, number and expiry. */
interface Numbered {
  readonly from: string;
  readonly id: number;
  /** Milliseconds since the epoch, on a clock that all processes share. */
  readonly until: number;
}

/** The number of messages that are remembered. */
const MOST_REMEMBERED = 16_384;

/** Remembers processed messages, because anyone with write access to the backend can resend one until it expires. */
export class ReceivedMessages {
  /** Each message's expiry, in order of arrival. */
  readonly #ends = new Map<string, number>();

  /** Returns whether a message has not expired and is processed for the first time. */
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

/** A span's context, in the form of the headers that propagate it. */
export type CarriedTrace = { readonly [name: string]: string };

/** Continues a client's trace when another process handles its message. */
export interface TraceCarrier {
  /** Returns the active span's context, or `undefined` if there is none. */
  carry(): CarriedTrace | undefined;
  /** Runs a function in another process's span context. */
  resume<Result>(carried: CarriedTrace, act: () => Result): Result;
}
