import { useId, useState } from 'preact/hooks';
import { JsonView } from '../parts/json-view.js';
import { OutcomeLine } from './outcome-line.js';
import { useRequest } from './use-request.js';
import type { WantedProps } from './wanted.js';

/** Has events posted to a URL, and ends that. */
export function WebhookForm({ connection, wanted }: WantedProps) {
  const id = useId();
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const request = useRequest<unknown>(connection);
  const { outcome } = request;
  const send = (method: string, delivery: object) =>
    request.send((signal) => connection.request({ method, params: { ...wanted, delivery } }, signal));
  return (
    <details>
      <summary>Have them posted to a URL</summary>
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
        <label for={`${id}-secret`}>Secret that signs them, whsec_ and 24 to 64 bytes in base64</label>
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
