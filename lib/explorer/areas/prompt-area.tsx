import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client';
import { useId, useState } from 'preact/hooks';
import { PATIENCE_MS, type Connection } from '../connection/connection.js';
import { Arrival } from '../parts/arrival.js';
import { Content } from '../parts/content.js';
import { JsonView } from '../parts/json-view.js';
import type { AreaProps, Open } from './area.js';
import { ChoiceColumns } from './choice-columns.js';
import { OutcomeLine } from './outcome-line.js';
import { useRequest } from './use-request.js';

/** The prompts, and the one that is chosen. */
export function PromptArea({ connection, chosen, open }: AreaProps) {
  return (
    <ChoiceColumns
      label="prompts"
      invitation="Choose a prompt"
      items={connection.offer.prompts}
      describe={({ name, title, description }) => ({ key: name, title: title ?? name, text: description })}
      chosen={chosen}
      onChoose={(name) => open('prompts', name)}
      show={(prompt) => <PromptForm key={prompt.name} connection={connection} prompt={prompt} open={open} />}
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
    <section aria-labelledby="prompt">
      <Arrival id="prompt">{prompt.title ?? prompt.name}</Arrival>
      {prompt.description !== undefined && <p class="prose">{prompt.description}</p>}
      <form noValidate onSubmit={get}>
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
        <button type="submit" class="main" disabled={outcome.state === 'running'}>
          Get {prompt.name}
        </button>
      </form>
      <OutcomeLine outcome={outcome} />
      {outcome.state === 'done' && <Messages result={outcome.result} open={open} />}
      <details>
        <summary>The definition of the prompt</summary>
        <JsonView value={prompt} />
      </details>
    </section>
  );
}

function Messages({ result, open }: { readonly result: GetPromptResult; readonly open: Open }) {
  return (
    <section class="result" aria-label="Messages of the prompt">
      {result.description !== undefined && <p class="prose">{result.description}</p>}
      {result.messages.map(({ role, content }, index) => (
        <div key={index}>
          <h3>{role}</h3>
          <Content block={content} onOpen={(uri) => open('resources', uri)} />
        </div>
      ))}
    </section>
  );
}
