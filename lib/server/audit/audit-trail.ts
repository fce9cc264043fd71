import type { OnApplicationShutdown } from '@nestjs/common';
import { Observable, type Observer, type Operator, Subscriber, type Subscription } from 'rxjs';
import { Observers, Redaction } from '../../core/log/observers.js';
import { Logger } from '../../core/logger/logger.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import { isObject, type Params } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { settleWithin } from '../../core/async/timeouts.js';
import { LocalBus } from '../cluster/local-bus.js';
import type { ClusterBus } from '../cluster/cluster-bus.js';
import type { AuditedArguments } from '../settings/audit-options.js';
import type { ServerIdentity } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { ServerTelemetry } from '../telemetry/server-telemetry.js';
import type { AuditedFacts, AuditEvent } from './audit-event.js';
import {
  type EventCaller,
  AuditReceiver,
  findEventCaller,
  type Delivery,
  type ReceiverContext,
} from './audit-receiver.js';
import { ThrottledLog } from './throttled-log.js';

type Next<Value> = (value: Value) => void;

/**
 * An Observable whose subscribers cannot crash the process. By default, RxJS lets an error in a subscriber, or a
 * rejection in an `async` one, crash the process. Here both are logged, even behind operators.
 */
class AuditStream<Value> extends Observable<Value> {
  constructor(
    private readonly context: ReceiverContext,
    begin?: (subscriber: Subscriber<Value>) => () => void,
  ) {
    super(begin);
  }

  /** Preserves the Observable's class behind operators. */
  override lift<Result>(operator?: Operator<Value, Result>): Observable<Result> {
    const lifted = new AuditStream<Result>(this.context);
    lifted.source = this;
    lifted.operator = operator;
    return lifted;
  }

  override subscribe(observer?: Partial<Observer<Value>> | Next<Value>): Subscription;
  override subscribe(
    next?: Next<Value> | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription;
  override subscribe(
    given?: Partial<Observer<Value>> | Next<Value> | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    // Operators and functions such as `firstValueFrom` subscribe with a Subscriber, and propagate errors themselves.
    if (given instanceof Subscriber) return super.subscribe(given);
    const observer: Partial<Observer<Value>> =
      typeof given === 'function' || given === null || given === undefined
        ? { ...(given && { next: given }), ...(error && { error }), ...(complete && { complete }) }
        : given;
    const receiver = new AuditReceiver<Value>((value) => observer.next?.(value), this.context);
    const leave = this.context.onReceiver(receiver);
    const subscription = super.subscribe(guard(observer, receiver, this.context));
    subscription.add(leave);
    return subscription;
  }
}

function guard<Value>(
  observer: Partial<Observer<Value>>,
  receiver: AuditReceiver<Value>,
  context: ReceiverContext,
): Observer<Value> {
  const complete = new AuditReceiver<void>(() => observer.complete?.(), context);
  return {
    next: (value) => receiver.deliver(value),
    error: (error) => {
      if (observer.error === undefined) return receiver.fail(error);
      new AuditReceiver<unknown>((failure) => observer.error?.(failure), context).deliver(error);
      receiver.fail(error);
    },
    complete: () => complete.deliver(),
  };
}

/** Passes a server's events to its subscribers. */
export class AuditTrail implements OnApplicationShutdown {
  /** Emits every event. */
  readonly events$: Observable<AuditEvent>;
  /** The server key in the application. */
  readonly server: string;
  readonly #settings: ServerSettings['audit'];
  /** The array is replaced rather than modified, so that subscribers can be added and removed during a delivery. */
  #subscribers: readonly Subscriber<AuditEvent>[] = [];
  #onEvent: ((event: AuditEvent, facts: AuditedFacts) => void) | undefined;
  #onChange: (() => void) | undefined;
  readonly #receivers = new Set<Pick<AuditReceiver<never>, 'hasRoom' | 'reserve'>>();
  readonly #unfinished = new Set<Promise<void>>();
  readonly #redaction: Redaction<AuditedArguments> | undefined;
  readonly #log = new ThrottledLog();
  readonly #storage = new StorageHealth();
  #delivery: Delivery | undefined;

  constructor(
    { audit }: Pick<ServerSettings, 'audit'>,
    { server }: ServerIdentity,
    private readonly bus: ClusterBus = new LocalBus(),
    telemetry?: ServerTelemetry,
  ) {
    this.#settings = audit;
    if (audit.redact !== undefined) {
      this.#redaction = new Redaction(audit.redact, new Observers(new Logger('McpAudit')), 'audit.redact');
    }
    this.server = server;
    const context: ReceiverContext = {
      limits: { events: audit.maxPending, bytes: audit.maxPendingBytes },
      log: this.#log,
      findDelivery: () => this.#delivery,
      watch: (work) => this.#watch(work),
      onDropped: () => telemetry?.recordDroppedAuditEvent(),
      onReceiver: (receiver) => {
        this.#receivers.add(receiver);
        return () => this.#receivers.delete(receiver);
      },
    };
    this.events$ = new AuditStream<AuditEvent>(context, (subscriber) => {
      this.#subscribers = [...this.#subscribers, subscriber];
      this.#onChange?.();
      return () => {
        this.#subscribers = this.#subscribers.filter((one) => one !== subscriber);
        this.#onChange?.();
      };
    });
  }

  /**
   * Observes each event with its operation, without storing it. In `required` mode, it does not count as a
   * subscriber.
   * @default none
   */
  set onEvent(observer: ((event: AuditEvent, facts: AuditedFacts) => void) | undefined) {
    this.#onEvent = observer;
    this.#onChange?.();
  }

  /** Registers a listener that is called whenever {@link isEnabled} may have changed. */
  watch(listener: () => void): void {
    this.#onChange = listener;
  }

  /** This process's name, in a cluster. */
  get process(): string | undefined {
    return this.bus.isShared ? this.bus.member : undefined;
  }

  /** Whether there are subscribers. */
  get hasSubscribers(): boolean {
    return this.#subscribers.length > 0;
  }

  /** Whether events are created at all. */
  get isEnabled(): boolean {
    return this.hasSubscribers || this.isRequired || this.#onEvent !== undefined;
  }

  /** Whether operations must not run unless their events are stored. */
  get isRequired(): boolean {
    return this.#settings.mode === 'required';
  }

  /** Whether the most recent events could be stored; absent unless events are required. */
  get canStore(): boolean | undefined {
    return this.isRequired ? this.hasSubscribers && !this.#storage.isFailing : undefined;
  }

  /** Returns why a caller's operations must not run at the moment, or `undefined` if they may. */
  findError(caller: EventCaller): McpError | undefined {
    if (!this.isRequired) return undefined;
    return this.#findMissingSubscriber() ?? this.#findBacklog(caller);
  }

  /**
   * If events are required, reserves room at every receiver for the next operation's event. Returns a function that
   * releases it, or the reason why the operation may not run.
   */
  reserve(caller: EventCaller): (() => void) | McpError {
    const error = this.findError(caller);
    if (error !== undefined) return error;
    const releases = [...this.#receivers].map((receiver) => receiver.reserve(caller));
    return () => {
      for (const release of releases) release();
    };
  }

  /** Returns the part of a method's arguments that an event includes. */
  showArguments(method: string, target: string | undefined, params: Params | undefined): unknown {
    if (this.#redaction === undefined) return undefined;
    const given = findArguments(method, params);
    return given === undefined
      ? undefined
      : this.#redaction.show(given, { kind: 'arguments', method, target });
  }

  /** Returns a target as it appears in events, after redaction. */
  showTarget(method: string, target: string | undefined): string | undefined {
    if (target === undefined || this.#redaction === undefined) return target;
    return this.#redaction.showTarget(target, { kind: 'target', method, target });
  }

  /**
   * Delivers an event. A slow or failing subscriber does not affect the operation, unless events are required. If
   * they are, the promise resolves to the error with which the operation fails, or to `undefined` when the event is
   * stored.
   *
   * @param isAdmitted whether room was reserved before the operation ran
   */
  record(
    event: AuditEvent,
    facts: AuditedFacts,
    isAdmitted: boolean,
  ): Promise<McpError | undefined> | undefined {
    this.#onEvent?.(event, facts);
    const delivery: Delivery = { facts, isAdmitted, hasFailed: false, waiting: undefined };
    if (!this.isRequired) {
      this.#emit(event, delivery);
      return undefined;
    }
    const error = isAdmitted ? this.#findMissingSubscriber() : this.findError(findEventCaller(facts));
    this.#emit(event, delivery);
    return error === undefined ? this.#awaitStorage(delivery) : Promise.resolve(error);
  }

  /** Completes for all subscribers, and waits for events that have not been stored yet. */
  async onApplicationShutdown(): Promise<void> {
    for (const subscriber of this.#subscribers) subscriber.complete();
    await settleWithin(Promise.all(this.#unfinished), this.#settings.timeoutMs);
    this.#log.close();
  }

  /** Returns an error if there is no subscriber. */
  #findMissingSubscriber(): McpError | undefined {
    if (this.hasSubscribers) return undefined;
    this.#log.error(
      'nobody',
      'Every request is rejected: "audit.mode" is "required", but "McpAudit" has no subscriber',
    );
    return AuditError.noSubscribers();
  }

  /** Returns an error if a subscriber has no room for the caller's next event. */
  #findBacklog(caller: EventCaller): McpError | undefined {
    for (const receiver of this.#receivers) {
      if (receiver.hasRoom(caller)) continue;
      this.#log.error(
        'crowd',
        'A request was rejected: "audit.mode" is "required", but an "McpAudit" subscriber has too many pending events',
      );
      return AuditError.backlogged();
    }
    return undefined;
  }

  #emit(event: AuditEvent, delivery: Delivery): void {
    const around = this.#delivery;
    this.#delivery = delivery;
    try {
      for (const subscriber of this.#subscribers) subscriber.next(event);
    } finally {
      this.#delivery = around;
    }
  }

  async #awaitStorage(delivery: Delivery): Promise<McpError | undefined> {
    const { timeoutMs } = this.#settings;
    const { waiting = [] } = delivery;
    const isDone = waiting.length === 0 || (await settleWithin(Promise.all(waiting), timeoutMs));
    if (!isDone) this.#log.error('late', `An "McpAudit" subscriber took longer than ${timeoutMs} ms`);
    const isStored = isDone && !delivery.hasFailed;
    this.#storage.record(isStored);
    return isStored ? undefined : AuditError.notStored();
  }

  #watch(work: Promise<void>): void {
    this.#unfinished.add(work);
    void work.then(() => this.#unfinished.delete(work));
  }
}

/**
 * Finds a method's arguments. For tools and prompts these are `arguments`, for other methods all parameters except
 * `_meta`.
 */
function findArguments(method: string, params: unknown): unknown {
  if (!isObject(params)) return undefined;
  if (method === 'tools/call' || method === 'prompts/get') return params['arguments'];
  const { _meta, ...rest } = params;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/**
 * How long a failure counts if no event follows, in milliseconds. A process that is not ready receives no request
 * that could prove its recovery.
 */
const FAILURE_MS = 30_000;

/**
 * If an event was stored this many milliseconds or less before a failure, a single caller may have caused the
 * failure.
 */
const RECENT_MS = 10_000;

/** Remembers whether required events could be stored. */
export class StorageHealth {
  #storedAt = -Infinity;
  #failedAt = -Infinity;

  record(isStored: boolean): void {
    if (isStored) this.#storedAt = performance.now();
    else this.#failedAt = performance.now();
  }

  /** Whether the most recent events could not be stored. */
  get isFailing(): boolean {
    const isFresh = performance.now() - this.#failedAt < FAILURE_MS;
    return isFresh && this.#failedAt - this.#storedAt > RECENT_MS;
  }
}

/** Rejects an operation, or withholds its result, because its event cannot be stored. */
export class AuditError extends McpError {
  /** The operation did not run, because no subscriber would have stored its event. */
  static noSubscribers(): AuditError {
    const text = 'The server must record every operation but cannot do so at the moment: try again later';
    return new AuditError(ErrorCode.InternalError, text, undefined, 503);
  }

  /** The operation did not run, because the caller's earlier events have not been stored yet. */
  static backlogged(): AuditError {
    const text = 'The records of your earlier operations are still being stored: try again later';
    return new AuditError(ErrorCode.RateLimited, text, { retryAfterMs: 5000 }, 429);
  }

  /** The operation ran, but its event was not stored. The result is withheld. */
  static notStored(): AuditError {
    const text =
      'The server could not record this operation, so its result is withheld; the operation may have taken effect';
    return new AuditError(ErrorCode.InternalError, text, undefined, 500);
  }
}
