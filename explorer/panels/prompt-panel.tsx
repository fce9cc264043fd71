import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client';
import { useId, useState } from 'preact/hooks';
import { PATIENCE_MS, type Connection } from '../connection/connection.js';
import { submitByKey } from '../forms/submit-by-key.js';
import { Content } from '../parts/content.js';
import { EntryView } from '../parts/entry-view.js';
import { Disclosure } from '../parts/disclosure.js';
import { JsonView } from '../parts/json-view.js';
import { RawMessages } from '../parts/raw-messages.js';
import type { PanelProps, Open } from './panel.js';
import { ChoiceColumns } from './choice-columns.js';
import { OutcomeLine } from './outcome-line.js';
import { SendButtons } from './send-buttons.js';
import { useRequest } from './use-request.js';

/** The prompts, and the chosen one. */
export function PromptPanel({ connection, chosen, open }: PanelProps) {
  const { prompts } = connection.offer;
  const entries = prompts.map(({ name, title, description }) => ({
    key: name,
    title: title ?? name,
    name,
    text: description,
  }));
  return (
    <ChoiceColumns
      invitation="Choose a prompt"
      groups={[{ label: 'prompts', entries, isListing: connection.isListing('prompts') }]}
      chosen={chosen}
      onChoose={(name) => open('prompts', name)}
      show={(name) => {
        const prompt = prompts.find((one) => one.name === name);
        return prompt && <PromptForm key={name} connection={connection} prompt={prompt} open={open} />;
      }}
    />
  );
}

interface PromptFormProps {
  readonly connection: Connection;
  readonly prompt: Prompt;
  readonly open: Open;
}

function PromptForm({ connection, prompt, open }: PromptFormProps) {
  const id = useId();
  const [values, setValues] = useState<Record<string, string>>({});
  const request = useRequest<GetPromptResult>(connection);
  const { outcome } = request;
  const get = (event: Event) => {
    event.preventDefault();
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    void request.send((signal) => {
      const client = connection.getClient();
      return client.getPrompt({ name: prompt.name, arguments: given }, { signal, timeout: PATIENCE_MS });
    });
  };
  return (
    <EntryView
      id="prompt"
      title={prompt.title ?? prompt.name}
      name={prompt.name}
      description={prompt.description}
      outcome={
        <>
          <OutcomeLine outcome={outcome} idle="The messages appear here." />
          {outcome.state === 'done' && <Messages result={outcome.result} open={open} />}
          <RawMessages exchange={request.findExchange('prompts/get')} />
        </>
      }
    >
      <form noValidate onSubmit={get} onKeyDown={submitByKey}>
        {prompt.arguments?.map(({ name, description, required }) => (
          <div class="field" key={name}>
            <label for={`${id}-${name}`}>
              {name}
              {required === true && <span class="pale"> (required)</span>}
            </label>
            {description !== undefined && (
              <p class="hint" id={`${id}-${name}-text`}>
                {description}
              </p>
            )}
            <input
              id={`${id}-${name}`}
              value={values[name] ?? ''}
              autocomplete="off"
              aria-describedby={description === undefined ? undefined : `${id}-${name}-text`}
              onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          </div>
        ))}
        <SendButtons label={`Get ${prompt.name}`} outcome={outcome} onCancel={() => request.cancel()} />
      </form>
      <Disclosure title="Definition">
        {() => <JsonView label="Definition of the prompt" value={prompt} />}
      </Disclosure>
    </EntryView>
  );
}

function Messages({ result, open }: { readonly result: GetPromptResult; readonly open: Open }) {
  return (
    <section class="result" aria-label="Messages of the prompt">
      {result.description !== undefined && <p class="prose">{result.description}</p>}
      {result.messages.map(({ role, content }, index) => (
        <div key={index}>
          <h3 class="role">{role}</h3>
          <Content block={content} onOpen={(uri) => open('resources', uri)} />
        </div>
      ))}
    </section>
  );
}
