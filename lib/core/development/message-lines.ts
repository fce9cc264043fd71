import { StringDecoder } from 'node:string_decoder';

/** The most characters of the first messages of both sides. */
export const LONGEST_GREETING = 4096;

/** Splits what comes over a socket into messages: one of JSON a line. */
export class MessageLines {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** @param longest how many characters a message may have */
  constructor(public longest: number) {}

  /**
   * Takes what came, and gives the messages that are whole.
   *
   * @throws {SyntaxError} if a line is no JSON
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

/** Writes a message as a line. */
export function formatMessage(message: object): string {
  return `${JSON.stringify(message)}\n`;
}
