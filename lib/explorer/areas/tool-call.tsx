import {
  LOG_LEVEL_META_KEY,
  type CallToolResult,
  type Progress,
  type Tool,
} from '@modelcontextprotocol/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PATIENCE_MS, type Connection } from '../connection/connection.js';
import { useStore } from '../connection/store.js';
import { buildInitial, type Json, type JsonSchema } from '../forms/json-schema.js';
import { SchemaForm } from '../forms/schema-form.js';
import { Arrival } from '../parts/arrival.js';
import { AppView } from '../parts/app-view.js';
import { findApp } from '../parts/open-app.js';
import { JsonView } from '../parts/json-view.js';
import { ResultView } from '../parts/result-view.js';
import type { Open } from './area.js';
import { Drafts } from './drafts.js';
import { NoticeList } from './notice-list.js';
import { OutcomeLine } from './outcome-line.js';
import { SendButtons } from './send-buttons.js';
import { useRequest } from './use-request.js';

export interface ToolCallProps {
  readonly connection: Connection;
  readonly tool: Tool;
  readonly open: Open;
}

/** One tool: what it says of itself, and how it is called. */
export function ToolCall({ connection, tool, open }: ToolCallProps) {
  const { journal } = connection;
  useStore(journal);
  const schema = tool.inputSchema as JsonSchema;
  const [given, setGiven] = useState<Json | undefined>(() => Drafts.read(tool.name) ?? buildInitial(schema));
  const [progress, setProgress] = useState<Progress>();
  const calledAfter = useRef(Infinity);
  const request = useRequest<CallToolResult>(connection);
  const { outcome } = request;
  useEffect(() => Drafts.write(tool.name, given), [given]);

  const call = (event: Event) => {
    event.preventDefault();
    setProgress(undefined);
    calledAfter.current = journal.lastId;
    void request.send((signal) => callTool(connection, { tool, given, signal, onprogress: setProgress }));
  };
  const notices = journal.notices.filter(
    ({ id, method }) => id > calledAfter.current && method === 'notifications/message',
  );
  return (
    <section aria-labelledby="tool">
      <Arrival id="tool">{tool.title ?? tool.name}</Arrival>
      {tool.description !== undefined && <p class="prose">{tool.description}</p>}
      <Hints tool={tool} />
      <form noValidate onSubmit={call}>
        <SchemaForm schema={schema} value={given} onChange={setGiven} />
        <SendButtons label={`Call ${tool.name}`} outcome={outcome} onCancel={() => request.cancel()} />
      </form>
      {progress !== undefined && <ProgressLine progress={progress} />}
      <OutcomeLine outcome={outcome} />
      {notices.length > 0 && <NoticeList label="Log of the call" notices={notices} />}
      {outcome.state === 'done' && (
        <Answer connection={connection} tool={tool} given={given} result={outcome.result} open={open} />
      )}
      <details>
        <summary>The definition of the tool</summary>
        <JsonView value={tool} />
      </details>
    </section>
  );
}

interface AnswerProps extends ToolCallProps {
  readonly given: Json | undefined;
  readonly result: CallToolResult;
}

/** Shows what the tool gave, in its app if it has one. */
function Answer({ connection, tool, given, result, open }: AnswerProps) {
  const hasApp = result.isError !== true && findApp(tool) !== undefined;
  const args = (given ?? {}) as Record<string, unknown>;
  return (
    <>
      {hasApp && <AppView connection={connection} tool={tool} given={args} result={result} />}
      <ResultView result={result} onOpen={(uri) => open('resources', uri)} />
    </>
  );
}

interface Call {
  readonly tool: Tool;
  readonly given: Json | undefined;
  readonly signal: AbortSignal;
  readonly onprogress: (progress: Progress) => void;
}

/** Calls it, with all that it logs. */
async function callTool(
  connection: Connection,
  { tool, given, signal, onprogress }: Call,
): Promise<CallToolResult> {
  const { client } = connection;
  if (client === undefined) throw new Error('There is no connection.');
  const asksLog = connection.capabilities.logging !== undefined;
  if (asksLog && !connection.isPerRequest) await client.setLoggingLevel('debug');
  return client.callTool(
    {
      name: tool.name,
      arguments: (given ?? {}) as Record<string, unknown>,
      ...(asksLog && connection.isPerRequest && { _meta: { [LOG_LEVEL_META_KEY]: 'debug' } }),
    },
    { signal, onprogress, timeout: PATIENCE_MS },
  );
}

function ProgressLine({ progress: { progress, total, message } }: { readonly progress: Progress }) {
  return (
    <div class="progress">
      <label>
        Progress <progress {...(total !== undefined && { value: progress, max: total })} />
      </label>
      <p role="status">
        {progress}
        {total !== undefined && ` of ${total}`} {message}
      </p>
    </div>
  );
}

const HINTS = {
  readOnlyHint: 'reads only',
  destructiveHint: 'may destroy',
  idempotentHint: 'the same again if repeated',
  openWorldHint: 'reaches beyond the server',
} as const;

function Hints({ tool: { annotations = {} } }: { readonly tool: Tool }) {
  const told = Object.entries(HINTS).filter(
    ([name]) => (annotations as Readonly<Record<string, unknown>>)[name] === true,
  );
  if (told.length === 0) return null;
  return <p class="hint">It says of itself: {told.map(([, text]) => text).join(', ')}.</p>;
}
