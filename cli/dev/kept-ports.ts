import { KeptPort, type ListeningPlace } from './kept-port.js';

/** The ports of an application, each of which is kept while nobody of the application listens there. */
export class KeptPorts {
  readonly #ports = new Map<string, KeptPort>();

  /** Whether a port is kept at the moment, at any address. */
  keeps(port: number): boolean {
    return [...this.#ports].some(([key, { isKept }]) => isKept && key.endsWith(` ${port}`));
  }

  keep(place: ListeningPlace): void {
    const key = keyOf(place);
    const port = this.#ports.get(key) ?? new KeptPort();
    this.#ports.set(key, port);
    port.keep(place);
  }

  /** Lets all ports go. */
  async release(): Promise<void> {
    await Promise.all([...this.#ports.values()].map((port) => port.release()));
  }

  /** Ends the streams that waited for the application to listen at a place. */
  handOver(place: ListeningPlace): void {
    this.#ports.get(keyOf(place))?.handOver();
  }

  /** Ends all streams that waited. */
  handOverAll(): void {
    for (const port of this.#ports.values()) port.handOver();
  }

  close(): void {
    for (const port of this.#ports.values()) port.close();
  }
}

function keyOf({ host, port }: ListeningPlace): string {
  return `${host} ${port}`;
}
