import { type ClusterBus, Topic } from '../../../cluster/cluster-bus.js';

/** Reports whether a process has listeners for a source. A process that starts requests reports from the others. */
interface Presence {
  readonly source: string;
  readonly by: string;
  readonly state: 'present' | 'absent' | 'query';
}

const PRESENCE = new Topic<Presence>('event.presence');

/** Milliseconds between two reports, and after which a silent process counts as having no listeners. */
const REPORT_MS = 10_000;
const VALID_MS = 35_000;

/**
 * How long to wait before publishing that the last listener has left, in milliseconds. A listener that reconnects
 * repeatedly then causes no messages.
 */
const ABSENCE_DELAY_MS = 1000;

/** Tracks whether a source has listeners in any process of the server. */
export class ListenerPresence {
  /** Other processes with listeners, and when their last report expires. */
  readonly #remote = new Map<string, number>();
  #local = 0;
  /** Whether this process last reported that it has listeners. */
  #isReported = false;
  #absenceTimer: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(
    private readonly bus: ClusterBus,
    private readonly source: string,
    private readonly onChange: () => void,
  ) {}

  get hasListeners(): boolean {
    return this.#local > 0 || this.#remote.size > 0;
  }

  /** Starts to track the other processes. */
  start(): void {
    if (!this.bus.isShared) return;
    this.#unsubscribe = this.bus.on(PRESENCE, (presence) => this.#receive(presence));
    this.#timer = setInterval(() => this.#report(), REPORT_MS).unref();
    this.#send('query');
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#absenceTimer);
    this.#unsubscribe?.();
    if (this.#isReported) this.#send('absent');
  }

  enter(): void {
    this.#local += 1;
    if (!this.#isReported) this.#send('present');
    this.onChange();
  }

  leave(): void {
    this.#local -= 1;
    if (this.#local === 0)
      this.#absenceTimer ??= setTimeout(() => this.#reportAbsence(), ABSENCE_DELAY_MS).unref();
    this.onChange();
  }

  #receive({ source, by, state }: Presence): void {
    if (source !== this.source) return;
    if (state === 'query') {
      if (this.#local > 0) this.#send('present');
      return;
    }
    if (state === 'present') this.#remote.set(by, performance.now() + VALID_MS);
    else this.#remote.delete(by);
    this.onChange();
  }

  /** Reports this process's listeners, and expires the reports of killed processes. */
  #report(): void {
    if (this.#local > 0) this.#send('present');
    for (const [member, until] of this.#remote) {
      if (until < performance.now()) this.#remote.delete(member);
    }
    this.onChange();
  }

  #reportAbsence(): void {
    this.#absenceTimer = undefined;
    if (this.#local === 0) this.#send('absent');
  }

  #send(state: Presence['state']): void {
    if (state !== 'query') this.#isReported = state === 'present';
    this.bus.send(PRESENCE, { source: this.source, by: this.bus.member, state });
  }
}
