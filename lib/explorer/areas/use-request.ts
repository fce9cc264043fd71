import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '../connection/connection.js';

/** What became of a request. */
export type Outcome<Result> =
  | { readonly state: 'none' | 'running' | 'cancelled' }
  | { readonly state: 'done'; readonly result: Result; readonly ms: number }
  | { readonly state: 'failed'; readonly text: string };

/** A request that a user sends, and may cancel. */
export interface Request<Result> {
  readonly outcome: Outcome<Result>;
  send(ask: (signal: AbortSignal) => Promise<Result>): Promise<void>;
  cancel(): void;
}

/** Keeps what became of the last request; with the component it ends. */
export function useRequest<Result>(connection: Connection): Request<Result> {
  const [outcome, setOutcome] = useState<Outcome<Result>>({ state: 'none' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return {
    outcome,
    async send(ask) {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
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
  };
}
