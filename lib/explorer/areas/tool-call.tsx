import {
  LOG_LEVEL_META_KEY,
  type CallToolResult,
  type Progress,
  type Tool,
} from '@modelcontextprotocol/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { findTask } from '../../client/tasks/task-answer.js';
import { TAKES_TASKS } from '../connection/capabilities.js';
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
  const [takesTask, setTakesTask] = useState(true);
  const request = useRequest<CallToolResult | BegunTask>(connection);
  const { outcome } = request;
  useEffect(() => Drafts.write(tool.name, given), [given]);

  const call = (event: Event) => {
    event.preventDefault();
    setProgress(undefined);
    calledAfter.current = journal.lastId;
    void request.send((signal) =>
      callTool(connection, { tool, given, takesTask, signal, onprogress: setProgress }),
    );
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
        {connection.declares('tasks') && <TaskChoice value={takesTask} onChange={setTakesTask} />}
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
  readonly result: CallToolResult | BegunTask;
}

/** What a call became that is not answered at once. */
interface BegunTask {
  readonly taskId: string;
}

/** Shows what the tool gave, in its app if it has one. */
function Answer({ connection, tool, given, result, open }: AnswerProps) {
  if (isBegun(result)) return <TaskLink taskId={result.taskId} open={open} />;
  const hasApp = result.isError !== true && findApp(tool) !== undefined;
  const args = (given ?? {}) as Record<string, unknown>;
  return (
    <>
      {hasApp && <AppView connection={connection} tool={tool} given={args} result={result} />}
      <ResultView result={result} onOpen={(uri) => open('resources', uri)} />
    </>
  );
}

function isBegun(result: CallToolResult | BegunTask): result is BegunTask {
  return 'taskId' in result && !('content' in result);
}

function TaskLink({ taskId, open }: BegunTask & { readonly open: Open }) {
  return (
    <p class="buttons">
      The server works on it as a task.
      <button type="button" class="main" onClick={() => open('tasks', taskId)}>
        Follow the task
      </button>
    </p>
  );
}

interface TaskChoiceProps {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

function TaskChoice({ value, onChange }: TaskChoiceProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      Take a task for an answer
    </label>
  );
}

interface Call {
  readonly tool: Tool;
  readonly given: Json | undefined;
  /** Whether the server may answer with a task. */
  readonly takesTask: boolean;
  readonly signal: AbortSignal;
  readonly onprogress: (progress: Progress) => void;
}

/** Calls it, with all that it logs. */
async function callTool(
  connection: Connection,
  { tool, given, takesTask, signal, onprogress }: Call,
): Promise<CallToolResult | BegunTask> {
  const client = connection.getClient();
  const asksLog = connection.capabilities.logging !== undefined;
  if (asksLog && !connection.isPerRequest) await client.setLoggingLevel('debug');
  const _meta = {
    ...(asksLog && connection.isPerRequest && { [LOG_LEVEL_META_KEY]: 'debug' }),
    ...(takesTask && connection.declares('tasks') && TAKES_TASKS),
  };
  const params = { name: tool.name, arguments: (given ?? {}) as Record<string, unknown>, _meta };
  try {
    return await client.callTool(params, { signal, onprogress, timeout: PATIENCE_MS });
  } catch (error) {
    const task = findTask(error);
    if (task === undefined) throw error;
    connection.tasks.begin(task, tool.name);
    return { taskId: task.taskId };
  }
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
