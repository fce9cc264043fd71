import type { Exchange } from '../connection/journal.js';
import { CopyButton } from './copy-button.js';
import { Disclosure } from './disclosure.js';
import { JsonView } from './json-view.js';

/** Shows a request's raw messages. */
export function RawMessages({ exchange }: { readonly exchange: Exchange | undefined }) {
  if (exchange === undefined) return null;
  const { request, answer } = exchange;
  return (
    <Disclosure title="Raw messages">
      {() => (
        <>
          <h4>Request</h4>
          <JsonView label="Request" value={request.message} />
          {answer !== undefined && (
            <>
              <h4>Response</h4>
              <JsonView label="Response" value={answer.message} />
              <CopyButton label="Copy the response" text={JSON.stringify(answer.message, undefined, 2)} />
            </>
          )}
        </>
      )}
    </Disclosure>
  );
}
