import { Refusal } from './wire.js';

/** Thrown by an act whose session the server has ended, as it may after so long. */
export class SessionGone extends Error {}

/** Examples of what went wrong that are kept. */
const MOST_EXAMPLES = 40;

interface Counts {
  /** Acts that came out as they should. */
  answered: number;
  /** Acts that were refused as they should be. */
  refused: number;
  /** Sessions that the server had ended in the meantime, as it should. */
  gone: number;
  /** Answers that were not what they should be. */
  wrong: number;
  /** What did not come in time, on a machine that may be busy. */
  late: number;
}

/** What became of all acts. */
export class Tally {
  readonly counts: Counts = { answered: 0, refused: 0, gone: 0, wrong: 0, late: 0 };
  readonly byAct = new Map<string, number>();
  readonly examples: string[] = [];

  get total(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /** Runs an act and counts it; gives whether its visitor can go on. */
  async run(name: string, act: () => Promise<void>, isRefused = false): Promise<boolean> {
    this.byAct.set(name, (this.byAct.get(name) ?? 0) + 1);
    try {
      await act();
      this.counts[isRefused ? 'refused' : 'answered'] += 1;
      return true;
    } catch (error) {
      this.#judge(name, error);
      return false;
    }
  }

  #judge(name: string, error: unknown): void {
    if (error instanceof SessionGone) {
      this.counts.gone += 1;
      return;
    }
    const isLate =
      error instanceof Error && !(error instanceof Refusal) && error.message.startsWith('Waited');
    this.counts[isLate ? 'late' : 'wrong'] += 1;
    const example = `${name}: ${String(error)}`;
    if (this.examples.length < MOST_EXAMPLES && !this.examples.includes(example)) this.examples.push(example);
  }
}

/** Fails an act whose answer is another. */
export function assertSame(given: unknown, expected: unknown): void {
  if (given !== expected) throw new Error(`Expected ${String(expected)}, got ${String(given)}`);
}
