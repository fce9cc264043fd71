import { createRecord, isReadWith, type StreamRecord } from './stream-part.js';

/** The name of the stream that a standing GET reads. */
export const STANDALONE_STREAM = '0';

/** The streams of one session by their names: the standing one, and one for each call. */
export class StreamRecords {
  #standing: StreamRecord | undefined = createRecord(STANDALONE_STREAM, 0);
  // Most sessions of a server are idle: what only calls need is there from the first of them on.
  #calls: Map<string, StreamRecord> | undefined;
  #created = 0;

  /** How many calls have had a stream. */
  get created(): number {
    return this.#created;
  }

  find(stream: string): StreamRecord | undefined {
    return stream === STANDALONE_STREAM ? this.#standing : this.#calls?.get(stream);
  }

  calls(): Iterable<StreamRecord> {
    return this.#calls?.values() ?? [];
  }

  *all(): Iterable<StreamRecord> {
    if (this.#standing !== undefined) yield this.#standing;
    yield* this.calls();
  }

  /** Creates the stream of one call and gives its name. */
  create(formatName: (ordinal: number) => string = String): string {
    this.#created += 1;
    const name = formatName(this.#created);
    this.#calls ??= new Map();
    this.#calls.set(name, createRecord(name, this.#created));
    return name;
  }

  /** Finds the stream of a running call that is read, by a token with some scopes, except the streams that began first. */
  findOpenCall(scopes: readonly string[], first: number): string | undefined {
    for (const record of this.calls()) {
      // A stream of events carries nothing else.
      if (record.showsLife || record.isDone || record.ordinal <= first) continue;
      if (isReadWith(record, scopes)) return record.name;
    }
    return undefined;
  }

  forget(stream: string): void {
    if (stream === STANDALONE_STREAM) this.#standing = undefined;
    else this.#calls?.delete(stream);
  }

  clear(): void {
    this.#standing = undefined;
    this.#calls = undefined;
  }
}
