import { formatDuration } from '../parts/format-amount.js';
import type { Outcome } from './use-request.js';

export interface OutcomeLineProps {
  readonly outcome: Outcome<unknown>;
  /** The hint before the request is sent. @default none */
  readonly idle?: string;
}

/** Displays the outcome of a request, which screen readers announce. */
export function OutcomeLine({ outcome, idle = '' }: OutcomeLineProps) {
  return (
    <p role="status" class={outcome.state === 'failed' ? 'problem' : 'hint'}>
      {outcome.state === 'none' ? idle : describe(outcome)}
    </p>
  );
}

function describe(outcome: Outcome<unknown>): string {
  switch (outcome.state) {
    case 'running':
      return 'Waiting for the response…';
    case 'cancelled':
      return 'Cancelled.';
    case 'failed':
      return `Refused: ${outcome.text}`;
    case 'done':
      return `Response after ${formatDuration(outcome.ms)}.`;
    case 'none':
      return '';
  }
}
