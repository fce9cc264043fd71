import { estimateText } from '../../core/protocol/measured-json.js';
import type { MemoryHold } from '../memory/memory-hold.js';

/** Characters of JSON; a longer answer is asked for each time. */
const LONGEST_ROOTS = 65_536;

/** A client's answer to `roots/list` as JSON, and what is counted for it. */
export class KeptRoots {
  #answer: Promise<string> | undefined;
  #bytes = 0;

  constructor(private readonly memory: MemoryHold) {}

  get answer(): Promise<string> | undefined {
    return this.#answer;
  }

  /** Forgets the answer, or lets a question stand for it that is under way. */
  replace(answer: Promise<string> | undefined): void {
    this.memory.add(-this.#bytes);
    this.#bytes = 0;
    this.#answer = answer;
  }

  /** Keeps an answer, if there is room for it; unless another question was put since it was asked for. */
  keep(answer: Promise<string>, text: string): void {
    if (this.#answer !== answer) return;
    const bytes = estimateText(text);
    if (text.length <= LONGEST_ROOTS && this.memory.tryAdd(bytes)) this.#bytes = bytes;
    else this.#answer = undefined;
  }
}
