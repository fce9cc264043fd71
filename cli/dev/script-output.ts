import { StringDecoder } from 'node:string_decoder';
import type { Readable, Writable } from 'node:stream';

/** The sequences that clear a terminal. They would remove earlier lines. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const CLEAR = /\u001bc|\u001b\[(?:[23]?J|H|1;1H|0f)/g;

/** Colours and the like. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const STYLE = /\u001b\[[\d;?]*[A-Za-z]/g;

/** A longer line is no frame of a stack. */
const LONGEST_LINE = 4096;

/** Passes the output of a script on as it comes, and keeps it apart from what is told between. */
export class ScriptOutput {
  #isAtStart = true;

  /**
   * Passes an output on, no faster than it is read.
   *
   * @param onLine hears of each line, without its colours
   */
  follow(output: Readable, target: Writable, onLine: (line: string) => void): void {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    output.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk).replace(CLEAR, '');
      if (text === '') return;
      this.#isAtStart = text.endsWith('\n');
      if (!target.destroyed && !target.write(text)) {
        output.pause();
        target.once('drain', () => output.resume());
      }
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      for (const line of lines) onLine(line.slice(0, LONGEST_LINE).replace(STYLE, '').replace(/\r$/, ''));
    });
    // The reader of the output may have gone.
    output.on('error', () => undefined);
  }

  /** Makes the next message begin on a new line. */
  begin(target: Writable): void {
    if (!this.#isAtStart) target.write('\n');
    this.#isAtStart = true;
  }
}
