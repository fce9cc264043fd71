import { useId, useState } from 'preact/hooks';
import type { Connection } from '../connection/connection.js';
import { JsonEditor } from '../forms/json-editor.js';
import type { Json } from '../forms/json-schema.js';
import { submitByKey } from '../forms/submit-by-key.js';
import { FactsList } from '../parts/facts-list.js';
import { Disclosure } from '../parts/disclosure.js';
import { JsonView } from '../parts/json-view.js';
import { InputRequestsHere } from '../parts/input-request-panel.js';
import { RawMessages } from '../parts/raw-messages.js';
import type { PanelProps } from './panel.js';
import { OutcomeLine } from './outcome-line.js';
import { SendButtons } from './send-buttons.js';
import { useRequest } from './use-request.js';

/** Sends a request of any method, such as an extension's. It also sets the folders that are reported as roots. */
export function RequestPanel({ connection }: PanelProps) {
  const id = useId();
  const [method, setMethod] = useState(connection.isPerRequest ? 'server/discover' : 'ping');
  const [params, setParams] = useState<Json>();
  const request = useRequest<unknown>(connection);
  const { outcome } = request;
  const send = (event: Event) => {
    event.preventDefault();
    const given = params as Record<string, unknown> | undefined;
    void request.send((signal) => connection.request({ method, params: given }, signal));
  };
  return (
    <section aria-labelledby="requests" class="entry">
      <div>
        <h2 id="requests">Any request</h2>
        <p class="hint">For methods without a panel, such as extension methods.</p>
        <form noValidate onSubmit={send} onKeyDown={submitByKey}>
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
            <JsonEditor id={`${id}-params`} value={params} onChange={setParams} />
          </div>
          <SendButtons label="Send" outcome={outcome} onCancel={() => request.cancel()} />
        </form>
        <Folders connection={connection} />
      </div>
      <div class="outcome">
        <OutcomeLine outcome={outcome} />
        <InputRequestsHere inputRequests={connection.inputRequests} />
        {outcome.state === 'done' && <JsonView label="Result" value={outcome.result} />}
        <RawMessages exchange={request.findExchange(method)} />
        <Declared connection={connection} />
      </div>
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
        <label for={id}>Roots to report to the server, one URI per line</label>
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
      <h2>Declared by the server</h2>
      <FactsList
        facts={{
          Session: connection.sessionId,
          Revision: connection.negotiated,
          Instructions: connection.client?.getInstructions(),
        }}
      />
      <Disclosure title="Capabilities">
        {() => <JsonView label="Capabilities" value={connection.capabilities} />}
      </Disclosure>
    </>
  );
}
