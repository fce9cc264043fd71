import type { CreateMessageRequest, ElicitRequest } from '@modelcontextprotocol/client';
import { Store } from './store.js';

/** The answer to a form or a page that the server asks for. */
export type Elicited =
  | { readonly action: 'accept'; readonly content?: Record<string, string | number | boolean | string[]> }
  | { readonly action: 'decline' | 'cancel' };

/** A call of an app that its user has to allow. */
export interface AppCall {
  /** The tool whose app it is. */
  readonly app: string;
  readonly tool: string;
  /** What the user should know of the tool. */
  readonly reason: string;
  readonly args: unknown;
}

/** A question of the server or of an app, with how to answer it. */
export type Question =
  | {
      readonly kind: 'elicitation';
      readonly params: ElicitRequest['params'];
      readonly answer: (answer: Elicited) => void;
    }
  | {
      readonly kind: 'sampling';
      readonly params: CreateMessageRequest['params'];
      /** Nothing is a refusal. */
      readonly answer: (text: string | undefined) => void;
    }
  | {
      readonly kind: 'call';
      readonly params: AppCall;
      readonly answer: (isAllowed: boolean) => void;
      readonly closeApp: () => void;
    };

/** The questions that nobody has answered yet, in their order. */
export class Questions extends Store {
  #open: readonly Question[] = [];
  #answered = 0;
  #places = 0;

  /** The question to answer next. */
  get next(): Question | undefined {
    return this.#open[0];
  }

  /** How many were answered before it. */
  get number(): number {
    return this.#answered;
  }

  /** Whether a view is open that asks the questions of the server itself. */
  get hasPlace(): boolean {
    return this.#places > 0;
  }

  /** Notes such a view, until the function is called that it gives. */
  addPlace(): () => void {
    this.#places += 1;
    this.changed();
    return () => {
      this.#places -= 1;
      this.changed();
    };
  }

  /** Asks, and gives the answer; a question that is taken back is answered with `withdrawn`. */
  ask<Answer>(
    build: (answer: (answer: Answer) => void) => Question,
    { signal, withdrawn }: { readonly signal: AbortSignal; readonly withdrawn: Answer },
  ): Promise<Answer> {
    if (signal.aborted) return Promise.resolve(withdrawn);
    return new Promise((resolve) => {
      const answer = (given: Answer): void => {
        if (!this.#open.includes(question)) return;
        this.#answered += 1;
        this.#open = this.#open.filter((one) => one !== question);
        this.changed();
        resolve(given);
      };
      const question = build(answer);
      this.#open = [...this.#open, question];
      signal.addEventListener('abort', () => answer(withdrawn), { once: true });
      this.changed();
    });
  }
}
