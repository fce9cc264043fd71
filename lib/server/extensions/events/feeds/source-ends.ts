import type { Relay } from '../../../relay/relay.js';
import { Topic } from '../../../relay/topic.js';
import type { EventSourceEntry } from './event-source-entry.js';

/** Knows which processes have nothing more of a source to give: it has ended once that is all of them. */
export class SourceEnds {
  readonly #ended = new Set<string>();
  readonly #topic: Topic<{ readonly by: string }>;
  readonly #leave: () => void;
  #isOver = false;

  constructor(
    private readonly entry: EventSourceEntry,
    private readonly relay: Relay,
    private readonly onEnd: () => void,
  ) {
    this.#topic = new Topic(`event-end ${entry.name}`);
    this.#leave = relay.on(this.#topic, ({ by }) => void this.#note(by));
  }

  /** Says that this process has nothing more to give. */
  tell(): void {
    this.relay.publish(this.#topic, { by: this.relay.member });
  }

  stop(): void {
    this.#isOver = true;
    this.#leave();
  }

  /** Never rejects: if the others cannot be asked, this process is all there is. */
  async #note(member: string): Promise<void> {
    this.#ended.add(member);
    const { shared } = this.relay;
    if (shared === undefined || this.entry.options.exclusive === true) return this.#end();
    const members = await shared.members().catch(() => [this.relay.member]);
    if (members.every((one) => this.#ended.has(one))) this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.stop();
    this.onEnd();
  }
}
