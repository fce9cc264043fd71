import { createInterface, type Interface } from 'node:readline';
import type { Keyboard } from './command.interface.js';

/** Reads input line by line. Prompts go to standard error, so that they are visible if the output is redirected. */
export class LineKeyboard implements Keyboard {
  readonly isTerminal: boolean;
  readonly #lines: string[] = [];
  #interface: Interface | undefined;
  #hasEnded = false;
  #wake: () => void = () => undefined;

  constructor(
    private readonly input: NodeJS.ReadStream,
    private readonly output: NodeJS.WriteStream,
  ) {
    this.isTerminal = input.isTTY && output.isTTY;
  }

  async ask(question: string, withdrawn?: AbortSignal): Promise<string | undefined> {
    const lines = this.#open();
    lines.setPrompt(question);
    lines.prompt();
    const wake = (): void => this.#wake();
    const isWithdrawn = (): boolean => withdrawn?.aborted === true;
    withdrawn?.addEventListener('abort', wake);
    while (this.#lines.length === 0 && !this.#hasEnded && !isWithdrawn()) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    withdrawn?.removeEventListener('abort', wake);
    if (isWithdrawn()) return this.#withdraw(lines);
    const line = this.#lines.shift();
    if (line === undefined || !this.isTerminal) this.output.write('\n');
    return line;
  }

  /** Stops reading, so that the process can exit. */
  close(): void {
    this.#interface?.close();
    this.input.pause();
  }

  /** Discards the input so far, which is not meant for the next prompt. */
  #withdraw(lines: Interface): undefined {
    if (this.isTerminal) lines.write(null, { ctrl: true, name: 'e' });
    if (this.isTerminal) lines.write(null, { ctrl: true, name: 'u' });
    this.output.write('\n');
  }

  /** Opens one reader for all prompts, so that early lines are not lost. */
  #open(): Interface {
    if (this.#interface !== undefined) return this.#interface;
    const { input, output, isTerminal } = this;
    const lines = createInterface({ input, output, terminal: isTerminal, historySize: 0 });
    lines.on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    const end = (): void => {
      this.#hasEnded = true;
      this.#wake();
    };
    lines.on('close', end);
    // A terminal in raw mode sends no signal for Ctrl-C.
    lines.on('SIGINT', () => {
      lines.off('close', end).close();
      process.kill(process.pid, 'SIGINT');
    });
    this.#interface = lines;
    return lines;
  }
}
