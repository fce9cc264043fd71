import type { CreateMessageRequest, ElicitRequest } from '@modelcontextprotocol/client';
import { Store } from './store.js';

/** The user's response to an elicitation. */
export type Elicited =
  | { readonly action: 'accept'; readonly content?: Record<string, string | number | boolean | string[]> }
  | { readonly action: 'decline' | 'cancel' };

/** An app's call that the user must allow. */
export interface AppCall {
  /** The tool whose app it is. */
  readonly app: string;
  readonly tool: string;
  /** The reason for the prompt, concerning the tool. */
  readonly reason: string;
  readonly args: unknown;
}

/** An input request from the server, or an app's call to confirm, with the function that responds to it. */
export type InputRequest =
  | {
      readonly kind: 'elicitation';
      readonly params: ElicitRequest['params'];
      readonly answer: (answer: Elicited) => void;
    }
  | {
      readonly kind: 'sampling';
      readonly params: CreateMessageRequest['params'];
      /** `undefined` declines the request. */
      readonly answer: (text: string | undefined) => void;
    }
  | {
      readonly kind: 'call';
      readonly params: AppCall;
      readonly answer: (isAllowed: boolean) => void;
      readonly closeApp: () => void;
    };

/** The pending input requests, in order. */
export class InputRequests extends Store {
  #open: readonly InputRequest[] = [];
  #answered = 0;
  #views = 0;

  /** The next pending input request. */
  get next(): InputRequest | undefined {
    return this.#open[0];
  }

  /** The number of input requests that were completed before it. */
  get number(): number {
    return this.#answered;
  }

  /** Whether an open view shows the server's input requests itself. */
  get hasView(): boolean {
    return this.#views > 0;
  }

  /** Adds such a view. Returns a function that removes it. */
  addView(): () => void {
    this.#views += 1;
    this.changed();
    return () => {
      this.#views -= 1;
      this.changed();
    };
  }

  /** Resolves to the user's response, or to `withdrawn` if the request is cancelled. */
  ask<Answer>(
    build: (answer: (answer: Answer) => void) => InputRequest,
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
