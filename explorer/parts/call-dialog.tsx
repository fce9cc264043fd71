import { useEffect, useRef, useState } from 'preact/hooks';
import type { InputRequest, InputRequests } from '../connection/input-requests.js';
import { useStore } from '../connection/use-store.js';
import { JsonView } from './json-view.js';

/** Milliseconds before a call can be allowed: what was clicked or typed for the app must not allow it. */
const ALLOWED_AFTER_MS = 500;

/** Asks whether an app may call a tool. */
function CallForm({ params, answer, closeApp }: Extract<InputRequest, { readonly kind: 'call' }>) {
  const { app, tool, reason, args } = params;
  const refusal = useRef<HTMLButtonElement>(null);
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    // The attribute counts only when the dialog opens, and it may be open for the question before.
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

/** Asks whether apps may call tools, one call after the other, before anything else can be done. */
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
