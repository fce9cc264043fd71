import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '../connection/connection.js';
import type { Exchange } from '../connection/journal.js';

/** The outcome of a request. */
export type Outcome<Result> =
  | { readonly state: 'none' | 'running' | 'cancelled' }
  | { readonly state: 'done'; readonly result: Result; readonly ms: number }
  | { readonly state: 'failed'; readonly text: string };

/** A request that the user can send and cancel. */
export interface Request<Result> {
  readonly outcome: Outcome<Result>;
  /** The id of the last message before it. Its messages have greater ids. */
  readonly sentAfter: number;
  send(ask: (signal: AbortSignal) => Promise<Result>): Promise<void>;
  cancel(): void;
  /** Finds the request and its response for a method. */
  findExchange(method: string): Exchange | undefined;
}

/** Stores the outcome of the last request. Unmounting the component cancels the request. */
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
    cancel: () => running.current?.abort('The user cancelled the request'),
    findExchange: (method) => journal.findExchange(method, sentAfter.current),
  };
}
