import type { Terminal } from '../../cli/command.interface.js';
import type { Keyboard } from '../../cli/line-keyboard.js';

/** A terminal that keeps what a command writes. */
export class RecordingTerminal implements Terminal {
  readonly environment = {};
  readonly printed: string[] = [];
  readonly complaints: string[] = [];

  /** @param keyboard where answers are typed; without it nobody can be asked */
  constructor(readonly keyboard?: Keyboard) {}

  /** What was printed, and then what was complained of. */
  get lines(): readonly string[] {
    return [...this.printed, ...this.complaints];
  }

  readonly print = (line: string): void => void this.printed.push(line);

  readonly complain = (line: string): void => void this.complaints.push(line);
}
