import {
  UriTemplate,
  type ReadResourceResult,
  type ResourceTemplateType,
} from '@modelcontextprotocol/client';
import { useEffect, useId, useState } from 'preact/hooks';
import { PATIENCE_MS, type Connection } from '../connection/connection.js';
import { useStore } from '../connection/store.js';
import { Arrival } from '../parts/arrival.js';
import { ResourceView, type Contents } from '../parts/content.js';
import type { AreaProps } from './area.js';
import { EntryList } from './entry-list.js';
import { OutcomeLine } from './outcome-line.js';
import { useRequest } from './use-request.js';

/** The resources and templates, and the chosen one: its URI, or its template. */
export function ResourceArea({ connection, chosen, open }: AreaProps) {
  const { resources, templates } = connection.offer;
  const template = templates.find(({ uriTemplate }) => uriTemplate === chosen);
  const choose = (uri: string) => open('resources', uri);
  return (
    <div class="columns">
      <section aria-label="Choose a resource">
        <h2>Resources</h2>
        <EntryList
          label="resources"
          entries={resources.map(({ uri, name, title, description }) => ({
            key: uri,
            title: title ?? name,
            text: description ?? uri,
          }))}
          chosen={chosen}
          onChoose={choose}
        />
        {templates.length > 0 && (
          <>
            <h2>Templates</h2>
            <EntryList
              label="templates"
              entries={templates.map(({ uriTemplate, name, title }) => ({
                key: uriTemplate,
                title: title ?? name,
                text: uriTemplate,
              }))}
              chosen={chosen}
              onChoose={choose}
            />
          </>
        )}
      </section>
      {template !== undefined && (
        <TemplateForm key={template.uriTemplate} template={template} onExpand={choose} />
      )}
      {template === undefined && chosen !== undefined && (
        <ResourceReader key={chosen} connection={connection} uri={chosen} />
      )}
    </div>
  );
}

/** Asks for the variables of a template. */
function TemplateForm({
  template,
  onExpand,
}: {
  readonly template: ResourceTemplateType;
  readonly onExpand: (uri: string) => void;
}) {
  const id = useId();
  const [values, setValues] = useState<Record<string, string>>({});
  const parsed = new UriTemplate(template.uriTemplate);
  const uri = parsed.expand(values);
  return (
    <section aria-labelledby={`${id}-title`}>
      <Arrival id={`${id}-title`}>{template.title ?? template.name}</Arrival>
      {template.description !== undefined && <p class="prose">{template.description}</p>}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onExpand(uri);
        }}
      >
        {parsed.variableNames.map((name) => (
          <div class="field" key={name}>
            <label for={`${id}-${name}`}>{name}</label>
            <input
              id={`${id}-${name}`}
              value={values[name] ?? ''}
              autocomplete="off"
              onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          </div>
        ))}
        <p>
          <code>{uri}</code>
        </p>
        <button type="submit" class="main">
          Open it
        </button>
      </form>
    </section>
  );
}

/** One resource. It is read, and read again on each change while it is subscribed to. */
function ResourceReader({ connection, uri }: { readonly connection: Connection; readonly uri: string }) {
  const { journal } = connection;
  useStore(journal);
  const request = useRequest<ReadResourceResult>(connection);
  const subscription = useRequest<() => Promise<unknown>>(connection);
  const { outcome } = request;
  const isSubscribed = subscription.outcome.state === 'done';
  const read = () =>
    request.send((signal) => connection.getClient().readResource({ uri }, { signal, timeout: PATIENCE_MS }));
  const updates = journal.notices.filter(({ method, params }) => method === UPDATED && isAbout(params, uri));
  const lastUpdate = updates[0]?.id;
  useEffect(() => {
    if (isSubscribed && lastUpdate !== undefined) void read();
  }, [lastUpdate]);
  const end = subscription.outcome.state === 'done' ? subscription.outcome.result : undefined;
  useEffect(() => () => void end?.().catch(() => undefined), [end]);
  return (
    <section aria-labelledby="resource">
      <Arrival id="resource">{uri}</Arrival>
      <p class="buttons">
        <button type="button" class="main" onClick={() => void read()}>
          Read
        </button>
        {connection.capabilities.resources?.subscribe === true && !isSubscribed && (
          <button type="button" onClick={() => void subscription.send(() => subscribe(connection, uri))}>
            Subscribe
          </button>
        )}
      </p>
      <OutcomeLine outcome={outcome} />
      <p role="status" class="hint">
        {isSubscribed && `Subscribed: ${updates.length} changes so far.`}
        {subscription.outcome.state === 'failed' && `Not subscribed: ${subscription.outcome.text}`}
      </p>
      {outcome.state === 'done' &&
        outcome.result.contents.map((contents, index) => (
          <ResourceView key={index} contents={contents as Contents} />
        ))}
    </section>
  );
}

const UPDATED = 'notifications/resources/updated';

function isAbout(params: unknown, uri: string): boolean {
  return (params as { readonly uri?: unknown } | undefined)?.uri === uri;
}

/** Subscribes, and gives what ends it. */
async function subscribe(connection: Connection, uri: string): Promise<() => Promise<unknown>> {
  const client = connection.getClient();
  if (connection.isPerRequest) {
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    return () => subscription.close();
  }
  await client.subscribeResource({ uri });
  return () => client.unsubscribeResource({ uri });
}
