import { estimateText } from '../../core/protocol/measured-json.js';
import { isPromiseLike } from '../../core/async/promises.js';
import { findAnonymousAddress } from '../context/caller-identity.js';
import { HeapCost } from '../memory/memory-limits.js';
import { nameAccount } from '../memory/memory-account.js';
import type { AuditedFacts } from './audit-event.js';
import type { ThrottledLog } from './throttled-log.js';

/** What receivers need of their trail. */
export interface ReceiverContext {
  /** The limits of a receiver's pending events. */
  readonly limits: PendingLimits;
  readonly log: ThrottledLog;
  readonly findDelivery: FindDelivery;
  /** Is called with unfinished work. */
  readonly watch: (work: Promise<void>) => void;
  /** Is called if a receiver misses an event. */
  readonly onDropped: () => void;
  /** Calls a function for each later receiver. Returns a function that ends this. */
  readonly onReceiver: (receiver: Pick<AuditReceiver<never>, 'hasRoom' | 'reserve'>) => () => void;
}

/** One who receives events: neither what it throws nor how long it takes is felt by anybody else. */
export class AuditReceiver<Value> {
  readonly #quotas: PendingQuotas;

  constructor(
    private readonly receive: (value: Value) => unknown,
    private readonly context: ReceiverContext,
  ) {
    this.#quotas = new PendingQuotas(context.limits);
  }

  /** Tells whether there is room for what somebody is about to do. */
  hasRoom(caller: EventCaller): boolean {
    return this.#quotas.hasRoom(caller, HeapCost.audited);
  }

  /** Reserves room for a coming operation. Returns a function that releases it. */
  reserve(caller: EventCaller): () => void {
    return this.#quotas.reserve(caller, HeapCost.audited);
  }

  /** Gives a value to the receiver. It never throws. */
  deliver(value: Value): void {
    try {
      if (this.#isFull(value)) return this.#drop();
      const received = this.receive(value);
      if (isPromiseLike(received)) this.#await(received, value);
    } catch (error) {
      this.#fail('failed to take an event', error);
    }
  }

  /** Notes that the receiver fails. */
  fail(error: unknown): void {
    this.#fail('failed, and gets no more events', error);
  }

  #drop(): void {
    this.context.onDropped();
    this.#fail('is busy with so many events that further ones are dropped');
  }

  #isFull(value: Value): boolean {
    if (this.#quotas.isEmpty) return false;
    const delivery = this.context.findDelivery();
    return (
      delivery?.isAdmitted !== true && !this.#quotas.hasRoom(selectCaller(delivery), estimateHeap(value))
    );
  }

  #await(received: PromiseLike<unknown>, value: Value): void {
    const delivery = this.context.findDelivery();
    const release = this.#quotas.reserve(selectCaller(delivery), estimateHeap(value));
    const work = Promise.resolve(received)
      .then(
        () => undefined,
        (error: unknown) => this.#fail('failed to take an event', error, delivery),
      )
      .finally(release);
    this.context.watch(work);
    if (delivery !== undefined) (delivery.waiting ??= []).push(work);
  }

  #fail(what: string, error?: unknown, delivery = this.context.findDelivery()): void {
    if (delivery !== undefined) delivery.hasFailed = true;
    this.context.log.error(what, `A subscriber of "McpAudit" ${what}`, error);
  }
}

/** What comes of no event counts for nobody. */
function selectCaller(delivery: Delivery | undefined): EventCaller | undefined {
  return delivery && findEventCaller(delivery.facts);
}

/** What is done with one event, while it is handed over. */
export interface Delivery {
  /** The source of the event, which decides for whom it counts. */
  readonly facts: AuditedFacts;
  /** Whether room was kept for it before its operation was done. */
  readonly isAdmitted: boolean;
  /** Whether somebody failed to take it. */
  hasFailed: boolean;
  /** Resolves when slow receivers have finished. They never reject. */
  waiting: Promise<void>[] | undefined;
}

/** Finds the current hand-over, if a receiver is being called within one. */
type FindDelivery = () => Delivery | undefined;

/** The owner of an event until it is stored. */
export interface EventCaller {
  /** Tells callers apart; absent if everybody may have it. */
  readonly name: string | undefined;
  /** Whether nobody vouches for the caller: all of these have one share together. */
  readonly isAnonymous: boolean;
}

/** What reaches the process by no network. */
const LOCAL: EventCaller = { name: undefined, isAnonymous: false };

/** Returns the owner of an event: a caller by its token, and everybody else by the address. */
export function findEventCaller({ type, source, caller }: AuditedFacts): EventCaller {
  const identity = caller?.identity;
  if (identity !== undefined) return { name: nameAccount(identity), isAnonymous: false };
  if (source.http !== undefined) return { name: findAnonymousAddress(source), isAnonymous: true };
  // What ends by itself comes with no message.
  const isEnd = type === 'session_ended' || type === 'task';
  return isEnd ? { name: caller?.address, isAnonymous: true } : LOCAL;
}

/** How much there may be. */
interface PendingLimits {
  readonly events: number;
  readonly bytes: number;
}

/** How much there is. */
interface Tally {
  events: number;
  bytes: number;
}

/** Strangers have so much of it together at most. */
const ANONYMOUS_SHARE = 0.5;

/**
 * Shares a receiver's pending events among callers. Nobody has more than the free part, so that there is always room for
 * somebody else. All strangers together have half at most.
 */
export class PendingQuotas {
  readonly #limits: PendingLimits;
  readonly #anonymousLimits: PendingLimits;
  readonly #all: Tally = { events: 0, bytes: 0 };
  readonly #anonymous: Tally = { events: 0, bytes: 0 };
  readonly #known = new Map<string, Tally>();
  readonly #byAddress = new Map<string, Tally>();

  constructor(limits: PendingLimits) {
    this.#limits = limits;
    this.#anonymousLimits = {
      events: Math.ceil(limits.events * ANONYMOUS_SHARE),
      bytes: Math.ceil(limits.bytes * ANONYMOUS_SHARE),
    };
  }

  /** Whether there is nothing to share. */
  get isEmpty(): boolean {
    return this.#all.events === 0;
  }

  /** Tells whether an owner may have one event more. */
  hasRoom(caller: EventCaller | undefined, bytes: number): boolean {
    // One alone may be of any size: it is there already.
    if (this.isEmpty) return true;
    const all = measureFree(this.#all, this.#limits);
    if (caller === undefined) return fits(NOTHING, bytes, all);
    const own = this.#find(caller) ?? NOTHING;
    if (!caller.isAnonymous) return fits(own, bytes, all);
    const isCommon = caller.name === undefined;
    const left = measureFree(this.#anonymous, this.#anonymousLimits);
    return fits(this.#anonymous, bytes, all) && fits(isCommon ? NOTHING : own, bytes, left);
  }

  /** Counts an event of an owner, even without room. Returns a function that ends this. */
  reserve(caller: EventCaller | undefined, bytes: number): () => void {
    this.#count(caller, { events: 1, bytes });
    return () => this.#count(caller, { events: -1, bytes: -bytes });
  }

  #count(caller: EventCaller | undefined, change: Tally): void {
    add(this.#all, change);
    if (caller === undefined) return;
    if (caller.isAnonymous) add(this.#anonymous, change);
    if (caller.isAnonymous && caller.name === undefined) return;
    const callers = this.#select(caller);
    const name = caller.name ?? UNNAMED;
    const own = callers.get(name) ?? { events: 0, bytes: 0 };
    callers.set(name, own);
    add(own, change);
    if (own.events === 0) callers.delete(name);
  }

  #find(caller: EventCaller): Tally | undefined {
    return this.#select(caller).get(caller.name ?? UNNAMED);
  }

  #select({ isAnonymous }: EventCaller): Map<string, Tally> {
    return isAnonymous ? this.#byAddress : this.#known;
  }
}

/** The name of an owner without a name. */
const UNNAMED = '';

const NOTHING: Tally = Object.freeze({ events: 0, bytes: 0 });

function measureFree(received: Tally, limits: PendingLimits): Tally {
  return { events: limits.events - received.events, bytes: limits.bytes - received.bytes };
}

function fits(own: Tally, bytes: number, left: Tally): boolean {
  return own.events + 1 <= left.events && own.bytes + bytes <= left.bytes;
}

function add(tally: Tally, { events, bytes }: Tally): void {
  tally.events += events;
  tally.bytes += bytes;
}

/** Bytes of an object, an array or an entry, without texts. */
const VALUE_BYTES = 56;

/** Values after which nothing is counted any more: nobody keeps so much of one call. */
const MOST_VALUES = 100_000;

/**
 * Estimates the heap that an event, or an operator's value, takes while it waits. It never throws, whatever a redactor
 * shows.
 */
export function estimateHeap(event: unknown): number {
  let bytes: number = HeapCost.audited;
  let values = 0;
  // What stands in several places, or in itself, is there once.
  const holders = new Set<object>();
  const count = (value: unknown): void => {
    values += 1;
    bytes += VALUE_BYTES + measureOwn(value);
    if (typeof value === 'object' && value !== null) holders.add(value);
  };
  count(event);
  for (const holder of holders) {
    for (const part of listParts(holder)) count(part);
    if (values >= MOST_VALUES) break;
  }
  return bytes;
}

function measureOwn(value: unknown): number {
  if (typeof value === 'string') return estimateText(value);
  return ArrayBuffer.isView(value) ? value.byteLength : 0;
}

/** What a redactor invented may throw when it is read: nobody else can read it either. */
function listParts(holder: object): readonly unknown[] {
  if (ArrayBuffer.isView(holder)) return [];
  try {
    if (holder instanceof Map || holder instanceof Set) return [...holder].flat();
    return Object.values(holder).filter((part) => part !== undefined);
  } catch {
    return [];
  }
}
