import { StringDecoder } from 'node:string_decoder';

/** The maximum number of characters in the first message of each side. */
export const LONGEST_GREETING = 4096;

/** Splits a socket's data into messages, one JSON document per line. */
export class MessageLines {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** @param longest how many characters a message may have */
  constructor(public longest: number) {}

  /**
   * Adds received data, and returns the messages that are complete.
   *
   * @throws {SyntaxError} if a line is not JSON
   * @throws {RangeError} if a line is too long
   */
  read(chunk: Buffer): readonly unknown[] {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > this.longest || lines.some(({ length }) => length > this.longest)) {
      throw new RangeError(`A message may have ${this.longest} characters`);
    }
    return lines.map((line) => JSON.parse(line) as unknown);
  }
}

/** Formats a message as a line. */
export function formatMessage(message: object): string {
  return `${JSON.stringify(message)}\n`;
}
