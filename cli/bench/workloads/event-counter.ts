/** The notifications that something has changed. */
const ANNOUNCES = /"method":\s*"notifications\/(?:tools|prompts|resources)\/(?:list_changed|updated)"/;

const EVENT_END = /\r\n\r\n|\n\n|\r\r/;

/** Much longer than any such notification. */
const LONGEST_EVENT = 64 * 1024;

/** Counts the change notifications on one stream. */
export class EventCounter {
  #rest = '';
  /** The number of notifications. */
  count = 0;
  /** All received events. */
  text = '';

  /** Adds received data. */
  read(chunk: string): void {
    this.#rest += chunk;
    for (let end = EVENT_END.exec(this.#rest); end !== null; end = EVENT_END.exec(this.#rest)) {
      const length = end.index + end[0].length;
      this.#take(this.#rest.slice(0, length));
      this.#rest = this.#rest.slice(length);
    }
    if (this.#rest.length > LONGEST_EVENT) this.#rest = '';
  }

  /** Resets the count. */
  reset(): void {
    this.count = 0;
    this.text = '';
  }

  #take(event: string): void {
    if (!ANNOUNCES.test(event)) return;
    this.count += 1;
    this.text += event;
  }
}
