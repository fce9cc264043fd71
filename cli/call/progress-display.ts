import type { Terminal } from '../command.interface.js';
import { formatProgressBar, formatProgressLine, type CallProgress } from './progress-bar.js';

/** Shows a call's progress: as a bar on a terminal, otherwise as lines without repetitions. */
export class ProgressDisplay {
  #lastLine = '';

  constructor(private readonly terminal: Terminal) {}

  /** Updates the progress. */
  update(call: CallProgress): void {
    const { status } = this.terminal;
    if (status !== undefined) status.show(formatProgressBar(call, status.columns));
    else this.#complainOnce(formatProgressLine(call));
  }

  /** Shows a task status. */
  updateTask(line: string): void {
    const { status } = this.terminal;
    if (status !== undefined) status.show([...line].slice(0, Math.max(0, status.columns - 1)).join(''));
    else this.#complainOnce(line);
  }

  /** Removes the bar. */
  end(): void {
    this.terminal.status?.show('');
  }

  #complainOnce(line: string): void {
    if (line !== this.#lastLine) this.terminal.complain(line);
    this.#lastLine = line;
  }
}
