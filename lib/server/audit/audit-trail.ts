import { Inject, Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import type { Observable, Subscriber } from 'rxjs';
import type { McpError } from '../../core/protocol/mcp.error.js';
import { settleWithin } from '../../core/waiting/settle-within.js';
import { LocalRelay } from '../relay/local-relay.js';
import { Relay } from '../relay/relay.js';
import { SERVER_IDENTITY, SERVER_SETTINGS, type ServerIdentity } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { AuditError } from './audit.error.js';
import type { AuditEvent } from './audit-event.interface.js';
import type { HandOver, ReceiverMeans } from './audit-receiver.js';
import { AuditStream } from './audit-stream.js';
import { PauseLog } from './pause-log.js';
import { redactArguments } from './redact-arguments.js';

/** Gives the events of a server to whoever audits it. */
@Injectable()
export class AuditTrail implements OnApplicationShutdown {
  /** Emits every event. */
  readonly events$: Observable<AuditEvent>;
  /** Which server of the application it is. */
  readonly server: string;
  readonly #settings: ServerSettings['audit'];
  readonly #subscribers = new Set<Subscriber<AuditEvent>>();
  readonly #unfinished = new Set<Promise<void>>();
  readonly #log = new PauseLog();
  #handOver: HandOver | undefined;

  constructor(
    @Inject(SERVER_SETTINGS) { audit }: Pick<ServerSettings, 'audit'>,
    @Inject(SERVER_IDENTITY) { server }: ServerIdentity,
    @Optional() private readonly relay: Relay = new LocalRelay(),
  ) {
    this.#settings = audit;
    this.server = server;
    const means: ReceiverMeans = {
      maximumPending: audit.maximumPending,
      log: this.#log,
      findHandOver: () => this.#handOver,
      watch: (work) => this.#watch(work),
    };
    this.events$ = new AuditStream<AuditEvent>(means, (subscriber) => {
      this.#subscribers.add(subscriber);
      return () => this.#subscribers.delete(subscriber);
    });
  }

  /** Which process of the server it is, if there are others. */
  get process(): string | undefined {
    return this.relay.isShared ? this.relay.member : undefined;
  }

  /** Whether events are to be made at all. */
  get isWanted(): boolean {
    return this.#subscribers.size > 0 || this.isRequired;
  }

  /** Whether what nobody keeps must not happen. */
  get isRequired(): boolean {
    return this.#settings.mode === 'required';
  }

  /** Gives why nothing may be done at the moment; nothing if it may. */
  findFault(): McpError | undefined {
    if (!this.isRequired || this.#subscribers.size > 0) return undefined;
    this.#log.error(
      'nobody',
      'Every request is refused: "audit.mode" is "required", and nobody subscribes to "McpAudit"',
    );
    return AuditError.unheard();
  }

  /** Gives what an event shows of arguments. */
  redact(value: unknown, method: string, target: string | undefined): unknown {
    return redactArguments(this.#settings.redact, value, { method, target });
  }

  /**
   * Hands an event over. What fails, or takes long, is nothing to its operation, unless events are required: then a promise gives why
   * the operation fails, or nothing once the event is taken.
   */
  record(event: AuditEvent): Promise<McpError | undefined> | undefined {
    const fault = this.findFault();
    const handOver = this.#emit(event);
    if (!this.isRequired) return undefined;
    return fault === undefined ? this.#judge(handOver) : Promise.resolve(fault);
  }

  /** Lets whoever listens know that there is nothing more, and waits for what is not kept yet. */
  async onApplicationShutdown(): Promise<void> {
    for (const subscriber of this.#subscribers) subscriber.complete();
    await settleWithin(Promise.all(this.#unfinished), this.#settings.timeoutMs);
  }

  #emit(event: AuditEvent): HandOver {
    const around = this.#handOver;
    const handOver: HandOver = { hasFailed: false, waiting: undefined };
    this.#handOver = handOver;
    try {
      for (const subscriber of this.#subscribers) subscriber.next(event);
    } finally {
      this.#handOver = around;
    }
    return handOver;
  }

  async #judge(handOver: HandOver): Promise<McpError | undefined> {
    const { timeoutMs } = this.#settings;
    const { waiting = [] } = handOver;
    const isTaken = waiting.length === 0 || (await settleWithin(Promise.all(waiting), timeoutMs));
    if (!isTaken) this.#log.error('late', `A subscriber of "McpAudit" took longer than ${timeoutMs} ms`);
    return isTaken && !handOver.hasFailed ? undefined : AuditError.unkept();
  }

  #watch(work: Promise<void>): void {
    this.#unfinished.add(work);
    void work.then(() => this.#unfinished.delete(work));
  }
}
