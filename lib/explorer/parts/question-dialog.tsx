import { useEffect, useRef, useState } from 'preact/hooks';
import type { Elicited, Question, Questions } from '../connection/questions.js';
import { useStore } from '../connection/store.js';
import { buildInitial, type Json, type JsonSchema } from '../forms/json-schema.js';
import { SchemaForm } from '../forms/schema-form.js';
import { CallForm } from './call-form.js';
import { JsonView } from './json-view.js';

/** Puts the questions of the server and of apps to the user, one after the other. */
export function QuestionDialog({ questions }: { readonly questions: Questions }) {
  useStore(questions);
  const { next } = questions;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (next !== undefined && dialog.current?.open === false) dialog.current.showModal();
  }, [next]);
  if (next === undefined) return null;
  const refuse = (event: Event) => {
    event.preventDefault();
    if (next.kind === 'elicitation') next.answer({ action: 'cancel' });
    else if (next.kind === 'call') next.answer(false);
    else next.answer(undefined);
  };
  return (
    <dialog ref={dialog} aria-labelledby="question" onCancel={refuse}>
      <h2 id="question">{next.kind === 'call' ? 'An app asks' : 'The server asks'}</h2>
      <Asked key={String(questions.number)} question={next} />
    </dialog>
  );
}

function Asked({ question }: { readonly question: Question }) {
  if (question.kind === 'sampling') return <SamplingForm {...question} />;
  if (question.kind === 'call') return <CallForm {...question} />;
  const { params, answer } = question;
  return 'url' in params ? (
    <PageLink message={params.message} url={params.url} answer={answer} />
  ) : (
    <ElicitationForm {...question} />
  );
}

type Elicitation = Extract<Question, { readonly kind: 'elicitation' }>;

function ElicitationForm({ params, answer }: Elicitation) {
  const schema = ('requestedSchema' in params ? params.requestedSchema : {}) as JsonSchema;
  const [given, setGiven] = useState<Json | undefined>(() => buildInitial(schema));
  const accept = (event: Event) => {
    event.preventDefault();
    answer({
      action: 'accept',
      content: (given ?? {}) as NonNullable<Extract<Elicited, { action: 'accept' }>['content']>,
    });
  };
  return (
    <form noValidate onSubmit={accept}>
      <p class="prose">{params.message}</p>
      <SchemaForm schema={schema} value={given} onChange={setGiven} />
      <Buttons accept="Answer" answer={answer} />
    </form>
  );
}

/** Asks before a page of somebody else is opened, whose whole address is shown. */
function PageLink({
  message,
  url,
  answer,
}: {
  readonly message: string;
  readonly url: string;
  readonly answer: Elicitation['answer'];
}) {
  const isWeb = /^https?:\/\//i.test(url);
  const open = (event: Event) => {
    event.preventDefault();
    window.open(url, '_blank', 'noopener,noreferrer');
    answer({ action: 'accept' });
  };
  return (
    <form noValidate onSubmit={open}>
      <p class="prose">{message}</p>
      <p>
        It wants you to open <code>{url}</code>
      </p>
      {isWeb ? <Buttons accept="Open the page" answer={answer} /> : <Buttons answer={answer} />}
    </form>
  );
}

function Buttons({ accept, answer }: { readonly accept?: string; readonly answer: Elicitation['answer'] }) {
  return (
    <p class="buttons">
      {accept !== undefined && (
        <button type="submit" class="main">
          {accept}
        </button>
      )}
      <button type="button" onClick={() => answer({ action: 'decline' })}>
        Decline
      </button>
      <button type="button" onClick={() => answer({ action: 'cancel' })}>
        Cancel
      </button>
    </p>
  );
}

type Sampling = Extract<Question, { readonly kind: 'sampling' }>;

/** The user answers as a model would. */
function SamplingForm({ params, answer }: Sampling) {
  const [text, setText] = useState('');
  const accept = (event: Event) => {
    event.preventDefault();
    answer(text);
  };
  return (
    <form noValidate onSubmit={accept}>
      <p class="prose">It wants a model to answer; here you do.</p>
      {params.systemPrompt !== undefined && <p class="prose">{params.systemPrompt}</p>}
      <JsonView value={params.messages} />
      <div class="field">
        <label for="sampled">Answer of the model</label>
        <textarea
          id="sampled"
          rows={4}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <p class="buttons">
        <button type="submit" class="main">
          Answer
        </button>
        <button type="button" onClick={() => answer(undefined)}>
          Refuse
        </button>
      </p>
    </form>
  );
}
