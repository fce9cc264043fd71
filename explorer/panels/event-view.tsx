import { useId, useState } from 'preact/hooks';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import type { Connection } from '../connection/connection.js';
import type { EventType } from '../connection/events.js';
import { useStore } from '../connection/use-store.js';
import { buildInitial, type Json } from '../forms/json-schema.js';
import { SchemaForm } from '../forms/schema-form.js';
import { EntryView } from '../parts/entry-view.js';
import { Disclosure } from '../parts/disclosure.js';
import { JsonView } from '../parts/json-view.js';
import { NoticeList } from './notice-list.js';
import { OutcomeLine } from './outcome-line.js';
import { useRequest } from './use-request.js';

export interface EventViewProps {
  readonly connection: Connection;
  readonly type: EventType;
}

/** One event type, which the user can poll or listen to. Listening ends when it is stopped or closed. */
export function EventView({ connection, type }: EventViewProps) {
  const { name, title, description, delivery, inputSchema, payloadSchema } = type;
  const [given, setGiven] = useState<Json | undefined>(() => buildInitial(inputSchema));
  const wanted = { name, arguments: given ?? {} };
  return (
    <EntryView
      id="event"
      title={title}
      name={name}
      description={description}
      outcome={
        <>
          {delivery.includes('poll') && <Poll connection={connection} wanted={wanted} />}
          {delivery.includes('push') && <Stream connection={connection} wanted={wanted} />}
          {delivery.includes('webhook') && <WebhookForm connection={connection} wanted={wanted} />}
        </>
      }
    >
      <SchemaForm schema={inputSchema} value={given} onChange={setGiven} />
      <Disclosure title="Schema of the payload">
        {() => <JsonView label="Schema of the payload" value={payloadSchema} />}
      </Disclosure>
    </EntryView>
  );
}

/** Each poll starts after the last one. */
function Poll({ connection, wanted }: EventSelectionProps) {
  const [cursor, setCursor] = useState<string>();
  const request = useRequest<unknown>(connection);
  const poll = () =>
    request.send(async (signal) => {
      const params = { ...wanted, ...(cursor !== undefined && { cursor }) };
      const result = await connection.request({ method: 'events/poll', params }, signal);
      if (isObject(result) && typeof result['cursor'] === 'string') setCursor(result['cursor']);
      return result;
    });
  const { outcome } = request;
  return (
    <section aria-label="Poll">
      <p class="buttons">
        <button type="button" onClick={() => void poll()}>
          {cursor === undefined ? 'Poll' : 'Poll again'}
        </button>
        <span class="hint">
          {cursor === undefined
            ? 'The first poll returns a cursor to start from.'
            : 'The next poll returns later events.'}
        </span>
      </p>
      <OutcomeLine outcome={outcome} />
      {outcome.state === 'done' && <JsonView value={outcome.result} />}
    </section>
  );
}

/** A stream's events arrive as notifications. */
const TOLD = /^notifications\/events\/(?:active|event|error|terminated)$/;

function Stream({ connection, wanted }: EventSelectionProps) {
  const { journal } = connection;
  useStore(journal);
  const request = useRequest<unknown>(connection);
  const listen = () =>
    request.send((signal) => connection.request({ method: 'events/stream', params: { ...wanted } }, signal));
  const { outcome } = request;
  const isOpen = outcome.state === 'running';
  const received = journal.notices.filter(({ id, method }) => id > request.sentAfter && TOLD.test(method));
  const count = received.filter(({ method }) => method === 'notifications/events/event').length;
  return (
    <section aria-label="Stream">
      <p class="buttons">
        <button type="button" disabled={isOpen} onClick={() => void listen()}>
          Listen
        </button>
        {isOpen && (
          <button type="button" onClick={() => request.cancel()}>
            Stop
          </button>
        )}
      </p>
      <p role="status" class={outcome.state === 'failed' ? 'problem' : 'hint'}>
        {isOpen && `Listening: ${count} events so far.`}
        {outcome.state === 'cancelled' && 'Stopped.'}
        {outcome.state === 'done' && 'The server ended the stream.'}
        {outcome.state === 'failed' && `Refused: ${outcome.text}`}
      </p>
      {received.length > 0 && <NoticeList label="Events" notices={received} />}
    </section>
  );
}

/** Subscribes and unsubscribes a webhook. */
function WebhookForm({ connection, wanted }: EventSelectionProps) {
  const id = useId();
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const request = useRequest<unknown>(connection);
  const { outcome } = request;
  const send = (method: string, delivery: object) =>
    request.send((signal) => connection.request({ method, params: { ...wanted, delivery } }, signal));
  return (
    <details>
      <summary>Deliver the events to a URL</summary>
      <div class="field">
        <label for={`${id}-url`}>URL</label>
        <input
          id={`${id}-url`}
          type="url"
          value={url}
          autocomplete="off"
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for={`${id}-secret`}>Signing secret: whsec_ followed by 24 to 64 bytes in base64</label>
        <input
          id={`${id}-secret`}
          type="password"
          value={secret}
          autocomplete="off"
          onInput={(event) => setSecret(event.currentTarget.value)}
        />
      </div>
      <p class="buttons">
        <button type="button" onClick={() => void send('events/subscribe', { mode: 'webhook', url, secret })}>
          Subscribe the URL
        </button>
        <button type="button" onClick={() => void send('events/unsubscribe', { url })}>
          Unsubscribe it
        </button>
      </p>
      <OutcomeLine outcome={outcome} />
      {outcome.state === 'done' && <JsonView value={outcome.result} />}
    </details>
  );
}

/** The subscription to events. */
interface EventSelection {
  readonly name: string;
  readonly arguments: Json;
}

/** A delivery mode with its subscription. */
interface EventSelectionProps {
  readonly connection: Connection;
  readonly wanted: EventSelection;
}
