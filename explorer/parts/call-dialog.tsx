import { useEffect, useRef } from 'preact/hooks';
import type { Questions } from '../connection/questions.js';
import { useStore } from '../connection/use-store.js';
import { CallForm } from './call-form.js';

/** Asks whether apps may call tools, one call after the other, before anything else can be done. */
export function CallDialog({ questions }: { readonly questions: Questions }) {
  useStore(questions);
  const { next } = questions;
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
      <CallForm key={String(questions.number)} {...next} />
    </dialog>
  );
}
