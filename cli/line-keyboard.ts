import { createInterface, type Interface } from 'node:readline';

/** Reads what the user types. */
export type Keyboard = Pick<LineKeyboard, 'isTerminal' | 'ask'>;

/** Reads lines of input. Prompts go to standard error, so that they are visible if the output is redirected. */
export class LineKeyboard {
  /** Whether input and output are a terminal, so that a person can respond. */
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

  /**
   * Shows a prompt and returns the line that the user enters, or `undefined` at the end of the input or on
   * cancellation.
   */
  async ask(prompt: string, cancelled?: AbortSignal): Promise<string | undefined> {
    const lines = this.#open();
    lines.setPrompt(prompt);
    lines.prompt();
    const wake = (): void => this.#wake();
    const isCancelled = (): boolean => cancelled?.aborted === true;
    cancelled?.addEventListener('abort', wake);
    while (this.#lines.length === 0 && !this.#hasEnded && !isCancelled()) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    cancelled?.removeEventListener('abort', wake);
    if (isCancelled()) return this.#cancel(lines);
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
  #cancel(lines: Interface): undefined {
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
    // A terminal in raw mode does not send a signal for Ctrl-C.
    lines.on('SIGINT', () => {
      lines.off('close', end).close();
      process.kill(process.pid, 'SIGINT');
    });
    this.#interface = lines;
    return lines;
  }
}
