import { useEffect, useRef, useState } from 'preact/hooks';
import type { Elicited, InputRequest, InputRequests } from '../connection/input-requests.js';
import { useStore } from '../connection/use-store.js';
import { buildInitial, type Json, type JsonSchema } from '../forms/json-schema.js';
import { SchemaForm } from '../forms/schema-form.js';
import { submitByKey } from '../forms/submit-by-key.js';
import { JsonView } from './json-view.js';

/** Shows the server's input requests one at a time, next to the call that is waiting for them. */
export function InputRequestPanel({ inputRequests }: { readonly inputRequests: InputRequests }) {
  useStore(inputRequests);
  const { next } = inputRequests;
  if (next === undefined || next.kind === 'call') return null;
  return <Panel key={String(inputRequests.number)} question={next} />;
}

/** Like {@link InputRequestPanel}, for a view that sends requests. While it is shown, only it shows them. */
export function InputRequestsHere({ inputRequests }: { readonly inputRequests: InputRequests }) {
  useEffect(() => inputRequests.addView(), [inputRequests]);
  return <InputRequestPanel inputRequests={inputRequests} />;
}

/** The dialog for input requests that no view shows. */
export function RemainingInputRequests({ inputRequests }: { readonly inputRequests: InputRequests }) {
  useStore(inputRequests);
  return inputRequests.hasView ? null : <InputRequestPanel inputRequests={inputRequests} />;
}

/** A non-modal dialog next to the call. */
function Panel({ question }: { readonly question: Asked }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = panel;
    const before = document.activeElement;
    current?.scrollIntoView({ block: 'nearest' });
    (current?.querySelector<HTMLElement>('input, select, textarea, button') ?? current)?.focus();
    return () => {
      if (current?.contains(document.activeElement) === true && before instanceof HTMLElement) before.focus();
    };
  }, []);
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (question.kind === 'elicitation') question.answer({ action: 'cancel' });
    else question.answer(undefined);
  };
  return (
    <section
      ref={panel}
      role="dialog"
      aria-labelledby="question"
      class="panel question"
      tabIndex={-1}
      onKeyDown={cancel}
    >
      <h3 id="question">The server asks</h3>
      <InputRequestForm question={question} />
    </section>
  );
}

/** An input request from the server. */
type Asked = Exclude<InputRequest, { readonly kind: 'call' }>;

function InputRequestForm({ question }: { readonly question: Asked }) {
  if (question.kind === 'sampling') return <SamplingForm {...question} />;
  const { params, answer } = question;
  return 'url' in params ? (
    <PageLink message={params.message} url={params.url} answer={answer} />
  ) : (
    <ElicitationForm {...question} />
  );
}

type Elicitation = Extract<InputRequest, { readonly kind: 'elicitation' }>;

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
    <form noValidate onSubmit={accept} onKeyDown={submitByKey}>
      <p class="prose">{params.message}</p>
      <SchemaForm what="Answer" schema={schema} value={given} onChange={setGiven} />
      <Buttons accept="Answer" answer={answer} />
    </form>
  );
}

/** Asks the user before an external page is opened, and shows its complete URL. */
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

type Sampling = Extract<InputRequest, { readonly kind: 'sampling' }>;

/** The user responds instead of a model. */
function SamplingForm({ params, answer }: Sampling) {
  const [text, setText] = useState('');
  const accept = (event: Event) => {
    event.preventDefault();
    answer(text);
  };
  return (
    <form noValidate onSubmit={accept} onKeyDown={submitByKey}>
      <p class="prose">The request is for a model. Here, you write the response.</p>
      {params.systemPrompt !== undefined && <p class="prose">{params.systemPrompt}</p>}
      <JsonView value={params.messages} />
      <div class="field">
        <label for="sampled">Response of the model</label>
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
