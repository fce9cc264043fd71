import { type ClusterBus, Topic } from '../../../cluster/cluster-bus.js';

/** Reports whether a process has listeners of a source. A process that starts asks the others to report. */
interface Presence {
  readonly source: string;
  readonly by: string;
  readonly state: 'there' | 'gone' | 'asking';
}

const PRESENCE = new Topic<Presence>('event.presence');

/** Milliseconds between two reports, and after which a silent process counts as having no listeners. */
const SIGN_MS = 10_000;
const SILENCE_MS = 35_000;

/**
 * Milliseconds after which the departure of the last listener is published, so that a listener that reconnects
 * repeatedly causes no messages.
 */
const GONE_MS = 1000;

/** Tracks whether a source has listeners in any process of the server. */
export class ListenerPresence {
  /** Other processes with listeners, and until when their last report is valid. */
  readonly #elsewhere = new Map<string, number>();
  #here = 0;
  /** Whether this process last reported that it has listeners. */
  #isTold = false;
  #leaving: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #leave: (() => void) | undefined;

  constructor(
    private readonly bus: ClusterBus,
    private readonly source: string,
    private readonly onChange: () => void,
  ) {}

  get isThere(): boolean {
    return this.#here > 0 || this.#elsewhere.size > 0;
  }

  /** Starts to track the other processes. */
  start(): void {
    if (!this.bus.isShared) return;
    this.#leave = this.bus.on(PRESENCE, (presence) => this.#hear(presence));
    this.#timer = setInterval(() => this.#sign(), SIGN_MS).unref();
    this.#tell('asking');
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#leaving);
    this.#leave?.();
    if (this.#isTold) this.#tell('gone');
  }

  enter(): void {
    this.#here += 1;
    if (!this.#isTold) this.#tell('there');
    this.onChange();
  }

  leave(): void {
    this.#here -= 1;
    if (this.#here === 0) this.#leaving ??= setTimeout(() => this.#tellGone(), GONE_MS).unref();
    this.onChange();
  }

  #hear({ source, by, state }: Presence): void {
    if (source !== this.source) return;
    if (state === 'asking') {
      if (this.#here > 0) this.#tell('there');
      return;
    }
    if (state === 'there') this.#elsewhere.set(by, performance.now() + SILENCE_MS);
    else this.#elsewhere.delete(by);
    this.onChange();
  }

  /** Reports this process's listeners, and expires the reports of killed processes. */
  #sign(): void {
    if (this.#here > 0) this.#tell('there');
    for (const [member, until] of this.#elsewhere) {
      if (until < performance.now()) this.#elsewhere.delete(member);
    }
    this.onChange();
  }

  #tellGone(): void {
    this.#leaving = undefined;
    if (this.#here === 0) this.#tell('gone');
  }

  #tell(state: Presence['state']): void {
    if (state !== 'asking') this.#isTold = state === 'there';
    this.bus.send(PRESENCE, { source: this.source, by: this.bus.member, state });
  }
}
