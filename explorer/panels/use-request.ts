import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '../connection/connection.js';
import type { Exchange } from '../connection/journal.js';

/** What became of a request. */
export type Outcome<Result> =
  | { readonly state: 'none' | 'running' | 'cancelled' }
  | { readonly state: 'done'; readonly result: Result; readonly ms: number }
  | { readonly state: 'failed'; readonly text: string };

/** A request that a user sends, and may cancel. */
export interface Request<Result> {
  readonly outcome: Outcome<Result>;
  /** The id of the last message before it: its own have greater ones. */
  readonly sentAfter: number;
  send(ask: (signal: AbortSignal) => Promise<Result>): Promise<void>;
  cancel(): void;
  /** Finds its messages, by their method. */
  findExchange(method: string): Exchange | undefined;
}

/** Keeps what became of the last request; with the component it ends. */
export function useRequest<Result>(connection: Connection): Request<Result> {
  const { journal } = connection;
  const [outcome, setOutcome] = useState<Outcome<Result>>({ state: 'none' });
  const running = useRef<AbortController>(undefined);
  const sentAfter = useRef(Infinity);
  useEffect(() => () => running.current?.abort(), []);
  return {
    outcome,
    sentAfter: sentAfter.current,
    async send(ask) {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      sentAfter.current = journal.lastId;
      const startedAt = performance.now();
      setOutcome({ state: 'running' });
      try {
        const result = await ask(controller.signal);
        if (running.current === controller) {
          setOutcome({ state: 'done', result, ms: Math.round(performance.now() - startedAt) });
        }
      } catch (error) {
        if (running.current !== controller) return;
        setOutcome(
          controller.signal.aborted
            ? { state: 'cancelled' }
            : { state: 'failed', text: connection.explain(error) },
        );
      }
    },
    cancel: () => running.current?.abort('The user cancelled it'),
    findExchange: (method) => journal.findExchange(method, sentAfter.current),
  };
}
