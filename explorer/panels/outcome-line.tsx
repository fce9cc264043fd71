import { formatDuration } from '../parts/format-amount.js';
import type { Outcome } from './use-request.js';

export interface OutcomeLineProps {
  readonly outcome: Outcome<unknown>;
  /** What is said before it was sent. @default nothing */
  readonly idle?: string;
}

/** Says what became of a request, also to those who do not see it. */
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
      return 'Waiting for the answer…';
    case 'cancelled':
      return 'Cancelled.';
    case 'failed':
      return `Refused: ${outcome.text}`;
    case 'done':
      return `Answered in ${formatDuration(outcome.ms)}.`;
    case 'none':
      return '';
  }
}
