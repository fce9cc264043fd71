import { type ClusterBus, Topic } from '../../../cluster/cluster-bus.js';

/** Whether a process has listeners of a source; one that just began asks the others to say it again. */
interface Presence {
  readonly source: string;
  readonly by: string;
  readonly state: 'there' | 'gone' | 'asking';
}

const PRESENCE = new Topic<Presence>('event.presence');

/** Milliseconds between two signs of listeners, and after how many without one there are none. */
const SIGN_MS = 10_000;
const SILENCE_MS = 35_000;

/**
 * Milliseconds after which the departure of the last listener is announced. So a listener that keeps coming and going
 * causes no more messages.
 */
const GONE_MS = 1000;

/** Knows whether anybody listens to a source, in whichever process of the server. */
export class SourceAudience {
  /** Until when other processes count that have listeners. */
  readonly #elsewhere = new Map<string, number>();
  #here = 0;
  /** Whether the others were told last that listeners are here. */
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

  /** Begins to know of the other processes. */
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

  /** A process that was killed says nothing. */
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
