import { Logger } from '../../core/logger/logger.js';
import { OnceAMinute } from '../../core/waiting/once-a-minute.js';
import { logFault } from '../../core/log/log-fault.js';
import { inTime } from '../../core/waiting/in-time.js';
import type { Envelopes } from './envelopes.js';
import { parseInboxMessage, type InboxMessage } from './inbox-message.js';
import type { MemberReply } from './relay.js';
import { RelayError } from './relay.error.js';
import { RelayWaits } from './relay-waits.js';
import type { CarriedTrace, TraceCarrier } from './trace-carrier.interface.js';

/** Milliseconds by which processes may differ about the time of the engine. */
const CLOCKS_MS = 1000;

const DEFAULT_WAITS = new RelayWaits();

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
  readonly waits?: Pick<RelayWaits, 'answerMs'> | undefined;
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
  readonly #logger = new Logger('McpRelay');
  readonly #due = new OnceAMinute();
  readonly #replies = new Map<string, Reply>();
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;

  constructor(private readonly parts: InboxParts) {}

  answer(topic: string, reply: Reply): void {
    this.#replies.set(topic, reply);
  }

  tell(topic: string, body: object, member?: string): void {
    const trace = this.parts.traces?.carry();
    const text = this.#format({ kind: 'tell', from: this.parts.member, to: member, topic, body, trace });
    this.parts.send(text, member).catch(() => undefined);
  }

  async ask(topic: string, body: object, member: string): Promise<unknown> {
    const { reply, failure } = await this.#ask(topic, body, member);
    if (failure !== undefined) throw new RelayError('failed', failure);
    return reply;
  }

  /** Asks several processes, and this one, and gives the answers that came in time. */
  async askAll(
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
    if (message.kind === 'reply') this.#takeReply(message);
    else if (message.kind === 'ask') this.#takeQuestion(message);
    // A message to all others also comes back to its sender.
    else if (message.from !== member) this.#resume(message.trace, () => take(message.topic, message.body));
  }

  #resume<Result>(trace: CarriedTrace | undefined, act: () => Result): Result {
    const { traces } = this.parts;
    return trace === undefined || traces === undefined ? act() : traces.resume(trace, act);
  }

  /** A process that was stalled finds earlier questions. Their askers have continued without it. */
  #isAwaited({ until = Infinity }: Extract<InboxMessage, { kind: 'ask' }>): boolean {
    return this.parts.now() <= until;
  }

  #takeQuestion(message: Extract<InboxMessage, { kind: 'ask' }>): void {
    if (this.#isAwaited(message)) void this.#resume(message.trace, () => this.#reply(message));
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
      throw new RelayError('timeout', 'Too many questions wait for other processes');
    }
    this.#asked += 1;
    const id = this.#asked;
    const answered = new Promise<Extract<InboxMessage, { kind: 'reply' }>>((resolve) => {
      this.#waiting.set(id, { member, resolve });
    });
    try {
      const trace = this.parts.traces?.carry();
      const { answerMs } = this.parts.waits ?? DEFAULT_WAITS;
      const until = this.parts.now() + answerMs + CLOCKS_MS;
      const text = this.#format({
        kind: 'ask',
        from: this.parts.member,
        to: member,
        topic,
        body,
        id,
        until,
        trace,
      });
      await this.#send(text, member, topic);
      return await inTime(answered, answerMs, () => createLateError(topic, answerMs));
    } finally {
      this.#waiting.delete(id);
    }
  }

  async #send(text: string, member: string, topic: string): Promise<void> {
    const receivers = await this.parts.send(text, member).catch((cause: unknown) => {
      throw new RelayError('timeout', `The engine did not take "${topic}"`, { cause });
    });
    if (receivers > 0) return;
    throw new RelayError('unreachable', `There is no process "${member}" that could answer "${topic}"`);
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
      if (this.#due.isDue(topic)) logFault(this.#logger, error);
      return { failure: `"${topic}" failed` };
    }
  }
}

function createLateError(topic: string, answerMs: number): RelayError {
  return new RelayError('timeout', `No process answered "${topic}" in ${answerMs} ms`);
}
