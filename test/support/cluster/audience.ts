import { initialize } from '../clients/json-rpc.js';
import { callToolIn } from '../clients/tools.js';
import { until } from '../until.js';
import { KeptStream } from './kept-stream.js';

const LONG_MS = 60_000;

/** Many clients, each of which keeps its standing stream and comes back for it. */
export class Audience {
  private constructor(readonly streams: readonly KeptStream[]) {}

  /** Opens a session and a stream for each of some URLs. */
  static async open(urls: readonly string[]): Promise<Audience> {
    const sessions = await Promise.all(urls.map((url) => initialize(url)));
    return new Audience(await Promise.all(sessions.map((session) => KeptStream.open(session))));
  }

  /** Opens so many through a balancer. */
  static openMany(url: string, count: number): Promise<Audience> {
    return Audience.open(Array.from({ length: count }, () => url));
  }

  /** Waits until everybody has heard a number, or a number that comes later, as long as something is heard. */
  async heard(n: number): Promise<void> {
    const missing = () => this.streams.filter(({ numbers }) => (numbers.at(-1) ?? 0) < n);
    const describe = () =>
      `number ${n}; last heard: ${this.streams.map(({ numbers }) => numbers.at(-1)).join()}`;
    await until(() => missing().length === 0, describe, LONG_MS, this.#countHeard);
  }

  /** Waits until everybody has heard so many numbers, as long as something is heard. */
  async heardMany(count: number): Promise<void> {
    const describe = () =>
      `${count} numbers; heard: ${this.streams.map(({ numbers }) => numbers.length).join()}`;
    const hasAll = () => this.streams.every(({ numbers }) => numbers.length >= count);
    await until(hasAll, describe, LONG_MS, this.#countHeard);
  }

  /** What was heard, without what others heard too. */
  get histories(): readonly (readonly number[])[] {
    const distinct = new Map(this.streams.map(({ numbers }) => [numbers.join(), numbers]));
    return [...distinct.values()];
  }

  readonly #countHeard = (): number => this.streams.reduce((count, { heard }) => count + heard.length, 0);

  async close(): Promise<void> {
    await Promise.all(this.streams.map((stream) => stream.close()));
  }
}

/** Announces numbers by a session of its own. */
export async function announce(
  url: string,
  given: {
    readonly count: number;
    readonly from?: number;
    readonly intervalMs?: number;
    readonly padding?: number;
  },
  tool = 'announce',
): Promise<void> {
  const session = await initialize(url);
  await callToolIn(session, tool, { intervalMs: 0, ...given });
}
