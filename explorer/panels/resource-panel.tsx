import {
  UriTemplate,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/client';
import { useEffect, useId, useState } from 'preact/hooks';
import { PATIENCE_MS, type Connection } from '../connection/connection.js';
import { useStore } from '../connection/use-store.js';
import { submitByKey } from '../forms/submit-by-key.js';
import { ResourceView, type Contents } from '../parts/content.js';
import { EntryView } from '../parts/entry-view.js';
import { Disclosure } from '../parts/disclosure.js';
import { JsonView } from '../parts/json-view.js';
import { RawMessages } from '../parts/raw-messages.js';
import type { PanelProps } from './panel.js';
import { ChoiceColumns } from './choice-columns.js';
import { OutcomeLine } from './outcome-line.js';
import { useRequest } from './use-request.js';

/** The resources and templates, and the chosen one: its URI, or its template. */
export function ResourcePanel({ connection, chosen, open }: PanelProps) {
  const { resources, templates } = connection.offer;
  const choose = (uri: string) => open('resources', uri);
  const groups = [
    {
      label: 'resources',
      entries: resources.map(({ uri, name, title, description }) => ({
        key: uri,
        title: title ?? name,
        name: uri,
        text: description,
      })),
      isListing: connection.isListing('resources'),
    },
    {
      label: 'templates',
      entries: templates.map(({ uriTemplate, name, title, description }) => ({
        key: uriTemplate,
        title: title ?? name,
        name: uriTemplate,
        text: description,
      })),
      isListing: connection.isListing('templates'),
    },
  ];
  return (
    <ChoiceColumns
      invitation="Choose a resource"
      groups={groups.filter(({ entries, label }) => entries.length > 0 || label === 'resources')}
      chosen={chosen}
      onChoose={choose}
      show={(uri) => {
        const template = templates.find(({ uriTemplate }) => uriTemplate === uri);
        if (template !== undefined) return <TemplateForm key={uri} template={template} onExpand={choose} />;
        const resource = resources.find((one) => one.uri === uri);
        return <ResourceReader key={uri} connection={connection} uri={uri} resource={resource} />;
      }}
    />
  );
}

/** The form for a template's variables. */
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
    <EntryView
      id={`${id}-title`}
      title={template.title ?? template.name}
      name={template.uriTemplate}
      description={template.description}
      outcome={null}
    >
      <form
        noValidate
        onKeyDown={submitByKey}
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
      <Disclosure title="Definition">
        {() => <JsonView label="Definition of the template" value={template} />}
      </Disclosure>
    </EntryView>
  );
}

interface ResourceReaderProps {
  readonly connection: Connection;
  readonly uri: string;
  /** The listed definition; absent if the server does not list it. */
  readonly resource: Resource | undefined;
}

/** One resource. While it is subscribed to, it is reread on each change. */
function ResourceReader({ connection, uri, resource }: ResourceReaderProps) {
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
    <EntryView
      id="resource"
      title={resource?.title ?? resource?.name ?? uri}
      name={uri}
      description={resource?.description}
      outcome={
        <>
          <OutcomeLine outcome={outcome} idle="The contents appear here." />
          {outcome.state === 'done' &&
            outcome.result.contents.map((contents, index) => (
              <ResourceView key={index} contents={contents as Contents} />
            ))}
          <RawMessages exchange={request.findExchange('resources/read')} />
        </>
      }
    >
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
      <p role="status" class="hint">
        {isSubscribed && `Subscribed: ${updates.length} changes so far.`}
        {subscription.outcome.state === 'failed' && `Not subscribed: ${subscription.outcome.text}`}
      </p>
      {resource !== undefined && (
        <Disclosure title="Definition">
          {() => <JsonView label="Definition of the resource" value={resource} />}
        </Disclosure>
      )}
    </EntryView>
  );
}

const UPDATED = 'notifications/resources/updated';

function isAbout(params: unknown, uri: string): boolean {
  return (params as { readonly uri?: unknown } | undefined)?.uri === uri;
}

/** Subscribes, and returns a function that unsubscribes. */
async function subscribe(connection: Connection, uri: string): Promise<() => Promise<unknown>> {
  const client = connection.getClient();
  if (connection.isPerRequest) {
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    return () => subscription.close();
  }
  await client.subscribeResource({ uri });
  return () => client.unsubscribeResource({ uri });
}
