import { createRecord, isReadWith, type StreamRecord } from './stream-part.js';

/** The name of the standalone SSE stream. */
export const STANDALONE_STREAM = '0';

/** One session's streams, keyed by name: the standalone SSE stream, and one for each call. */
export class StreamRecords {
  #standalone: StreamRecord | undefined = createRecord(STANDALONE_STREAM, 0);
  // Most sessions are idle, so the map is created with the first call.
  #calls: Map<string, StreamRecord> | undefined;
  #created = 0;

  /** The number of streams created for calls. */
  get created(): number {
    return this.#created;
  }

  find(stream: string): StreamRecord | undefined {
    return stream === STANDALONE_STREAM ? this.#standalone : this.#calls?.get(stream);
  }

  calls(): Iterable<StreamRecord> {
    return this.#calls?.values() ?? [];
  }

  *all(): Iterable<StreamRecord> {
    if (this.#standalone !== undefined) yield this.#standalone;
    yield* this.calls();
  }

  /** Creates the stream of one call and returns its name. */
  create(formatName: (ordinal: number) => string = String): string {
    this.#created += 1;
    const name = formatName(this.#created);
    this.#calls ??= new Map();
    this.#calls.set(name, createRecord(name, this.#created));
    return name;
  }

  /** Finds a running call's stream whose reader's token has the scopes. Skips the given number of streams. */
  findOpenCall(scopes: readonly string[], first: number): string | undefined {
    for (const record of this.calls()) {
      // An event stream does not carry other messages.
      if (record.showsLife || record.isDone || record.ordinal <= first) continue;
      if (isReadWith(record, scopes)) return record.name;
    }
    return undefined;
  }

  forget(stream: string): void {
    if (stream === STANDALONE_STREAM) this.#standalone = undefined;
    else this.#calls?.delete(stream);
  }

  clear(): void {
    this.#standalone = undefined;
    this.#calls = undefined;
  }
}
