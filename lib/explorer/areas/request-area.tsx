import { useId, useState } from 'preact/hooks';
import type { Connection } from '../connection/connection.js';
import { JsonBox } from '../forms/json-box.js';
import type { Json } from '../forms/json-schema.js';
import { FactsList } from '../parts/facts-list.js';
import { JsonView } from '../parts/json-view.js';
import type { AreaProps } from './area.js';
import { OutcomeLine } from './outcome-line.js';
import { SendButtons } from './send-buttons.js';
import { useRequest } from './use-request.js';

/** Sends any method, such as one of an extension. It also sets the folders that the server gets when it asks for roots. */
export function RequestArea({ connection }: AreaProps) {
  const id = useId();
  const [method, setMethod] = useState('ping');
  const [params, setParams] = useState<Json>();
  const request = useRequest<unknown>(connection);
  const { outcome } = request;
  const send = (event: Event) => {
    event.preventDefault();
    const given = params as Record<string, unknown> | undefined;
    void request.send((signal) => connection.request({ method, params: given }, signal));
  };
  return (
    <section aria-labelledby="requests">
      <h2 id="requests">Any request</h2>
      <p class="hint">For what has no place of its own here, such as the methods of extensions.</p>
      <form noValidate onSubmit={send}>
        <div class="field">
          <label for={`${id}-method`}>Method</label>
          <input
            id={`${id}-method`}
            value={method}
            onInput={(event) => setMethod(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for={`${id}-params`}>Params</label>
          <JsonBox id={`${id}-params`} value={params} onChange={setParams} />
        </div>
        <SendButtons label="Send" outcome={outcome} onCancel={() => request.cancel()} />
      </form>
      <OutcomeLine outcome={outcome} />
      {outcome.state === 'done' && <JsonView value={outcome.result} />}
      <Folders connection={connection} />
      <Declared connection={connection} />
    </section>
  );
}

function Folders({ connection }: { readonly connection: Connection }) {
  const id = useId();
  const [roots, setRoots] = useState(connection.roots.join('\n'));
  return (
    <>
      <h2>Folders</h2>
      <div class="field">
        <label for={id}>Roots that the server is told of when it asks, a URI on each line</label>
        <textarea
          id={id}
          rows={3}
          value={roots}
          placeholder="file:///home/ada/project"
          onInput={(event) => {
            setRoots(event.currentTarget.value);
            connection.roots = event.currentTarget.value.split('\n').filter((line) => line.trim() !== '');
          }}
        />
      </div>
    </>
  );
}

function Declared({ connection }: { readonly connection: Connection }) {
  return (
    <>
      <h2>What it declares</h2>
      <FactsList
        facts={{
          Session: connection.sessionId,
          Revision: connection.negotiated,
          Instructions: connection.client?.getInstructions(),
        }}
      />
      <details>
        <summary>Its capabilities as JSON</summary>
        <JsonView value={connection.capabilities} />
      </details>
    </>
  );
}
