import type { Outcome } from './use-request.js';

export interface SendButtonsProps {
  /** The label on the button that sends the request. */
  readonly label: string;
  readonly outcome: Outcome<unknown>;
  readonly onCancel: () => void;
}

/** The buttons for a form that sends a request: one to send it, and one to cancel it while it runs. */
export function SendButtons({ label, outcome, onCancel }: SendButtonsProps) {
  return (
    <p class="buttons">
      <button type="submit" class="main" title="Ctrl+Enter" disabled={outcome.state === 'running'}>
        {label}
      </button>
      {outcome.state === 'running' && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </p>
  );
}
