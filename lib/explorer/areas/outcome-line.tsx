import type { Outcome } from './use-request.js';

/** Says what became of a request, also to those who do not see it. */
export function OutcomeLine({ outcome }: { readonly outcome: Outcome<unknown> }) {
  return (
    <p role="status" class={outcome.state === 'failed' ? 'fault' : 'hint'}>
      {describe(outcome)}
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
      return `Answered in ${outcome.ms} ms.`;
    case 'none':
      return '';
  }
}
