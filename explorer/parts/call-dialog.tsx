import { useEffect, useRef, useState } from 'preact/hooks';
import type { InputRequest, InputRequests } from '../connection/input-requests.js';
import { useStore } from '../connection/use-store.js';
import { JsonView } from './json-view.js';

/** The delay before a call can be allowed, in milliseconds, so that a click or key press for the app does not allow it. */
const ALLOWED_AFTER_MS = 500;

/** Asks the user whether an app may call a tool. */
function CallForm({ params, answer, closeApp }: Extract<InputRequest, { readonly kind: 'call' }>) {
  const { app, tool, reason, args } = params;
  const refusal = useRef<HTMLButtonElement>(null);
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    // The attribute applies only when the dialog opens, and it may still be open for the previous prompt.
    refusal.current?.focus();
    const timer = setTimeout(() => setIsReady(true), ALLOWED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <p class="prose">
        The app of <code>{app}</code> wants to call <code>{tool}</code>, which {reason}.
      </p>
      <JsonView value={args} />
      <p class="buttons">
        <button ref={refusal} type="button" autofocus onClick={() => answer(false)}>
          Refuse
        </button>
        <button type="button" class="main" disabled={!isReady} onClick={() => answer(true)}>
          Allow the call
        </button>
        <button type="button" onClick={closeApp}>
          Close the app
        </button>
      </p>
    </>
  );
}

/** Asks the user whether apps may call tools, one call at a time, before anything else can be done. */
export function CallDialog({ inputRequests }: { readonly inputRequests: InputRequests }) {
  useStore(inputRequests);
  const { next } = inputRequests;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (next?.kind === 'call' && dialog.current?.open === false) dialog.current.showModal();
  }, [next]);
  if (next?.kind !== 'call') return null;
  const refuse = (event: Event) => {
    event.preventDefault();
    next.answer(false);
  };
  return (
    <dialog ref={dialog} aria-labelledby="app-question" onCancel={refuse}>
      <h2 id="app-question">An app asks</h2>
      <CallForm key={String(inputRequests.number)} {...next} />
    </dialog>
  );
}
