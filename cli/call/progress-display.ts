import type { Terminal } from '../command.interface.js';
import { formatProgressBar, formatProgressLine, type CallProgress } from './progress-bar.js';

/** Shows how far a call is: as a bar at a terminal, elsewhere as lines, each once. */
export class ProgressDisplay {
  #lastLine = '';

  constructor(private readonly terminal: Terminal) {}

  /** Shows how far the call is now. */
  update(call: CallProgress): void {
    const { status } = this.terminal;
    if (status !== undefined) status.show(formatProgressBar(call, status.columns));
    else this.#complainOnce(formatProgressLine(call));
  }

  /** Shows what a task is about. */
  updateTask(line: string): void {
    const { status } = this.terminal;
    if (status !== undefined) status.show([...line].slice(0, Math.max(0, status.columns - 1)).join(''));
    else this.#complainOnce(line);
  }

  /** Takes the bar away. */
  end(): void {
    this.terminal.status?.show('');
  }

  #complainOnce(line: string): void {
    if (line !== this.#lastLine) this.terminal.complain(line);
    this.#lastLine = line;
  }
}
