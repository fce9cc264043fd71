import {
  LOG_LEVEL_META_KEY,
  type CallToolResult,
  type Progress,
  type Tool,
} from '@modelcontextprotocol/client';
import { useEffect, useState } from 'preact/hooks';
import { findTask } from '../../lib/client/tasks/task-response.js';
import { WITH_TASKS } from '../connection/capabilities.js';
import { PATIENCE_MS, type Connection } from '../connection/connection.js';
import { useStore } from '../connection/use-store.js';
import { buildExample, buildInitial, type Json, type JsonSchema } from '../forms/json-schema.js';
import { SchemaForm } from '../forms/schema-form.js';
import { submitByKey } from '../forms/submit-by-key.js';
import { AppView } from '../parts/app-view.js';
import { Badges } from '../parts/badges.js';
import { EntryView } from '../parts/entry-view.js';
import { findApp } from '../parts/find-app.js';
import { Disclosure } from '../parts/disclosure.js';
import { JsonView } from '../parts/json-view.js';
import { InputRequestsHere } from '../parts/input-request-panel.js';
import { RawMessages } from '../parts/raw-messages.js';
import { ResultView } from '../parts/result-view.js';
import type { Open } from './panel.js';
import { NoticeList } from './notice-list.js';
import { OutcomeLine } from './outcome-line.js';
import { SendButtons } from './send-buttons.js';
import { useRequest } from './use-request.js';

const PREFIX = 'nestjs-mcp explorer draft ';

/** The input for a tool, which survives a login. It is stored only in this tab. */
const Drafts = {
  read(name: string): Json | undefined {
    try {
      const stored = sessionStorage.getItem(PREFIX + location.pathname + name);
      return stored === null ? undefined : (JSON.parse(stored) as Json);
    } catch {
      return undefined;
    }
  },

  write(name: string, value: Json | undefined): void {
    const key = PREFIX + location.pathname + name;
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  },
};

export interface ToolCallProps {
  readonly connection: Connection;
  readonly tool: Tool;
  readonly open: Open;
}

/** One tool: its definition, and the form to call it. */
export function ToolCall({ connection, tool, open }: ToolCallProps) {
  const { journal } = connection;
  useStore(journal);
  const schema = tool.inputSchema as JsonSchema;
  const [given, setGiven] = useState<Json | undefined>(() => Drafts.read(tool.name) ?? buildInitial(schema));
  /** The example initializes a new form. */
  const [formKey, setFormKey] = useState(0);
  const [progress, setProgress] = useState<Progress>();
  const [runsAsTask, setRunsAsTask] = useState(true);
  const request = useRequest<CallToolResult | StartedTask>(connection);
  const { outcome } = request;
  useEffect(() => Drafts.write(tool.name, given), [given]);

  const call = (event: Event) => {
    event.preventDefault();
    setProgress(undefined);
    void request.send((signal) =>
      callTool(connection, { tool, given, runsAsTask, signal, onprogress: setProgress }),
    );
  };
  const fillIn = (example: Json) => {
    setGiven(example);
    setFormKey(formKey + 1);
  };
  const notices = journal.notices.filter(
    ({ id, method }) => id > request.sentAfter && method === 'notifications/message',
  );
  return (
    <EntryView
      id="tool"
      title={tool.title ?? tool.annotations?.title ?? tool.name}
      name={tool.name}
      description={tool.description}
      badges={<Badges tool={tool} />}
      outcome={
        <>
          <OutcomeLine outcome={outcome} idle="The result appears here." />
          {outcome.state === 'running' && progress !== undefined && <ProgressLine progress={progress} />}
          <InputRequestsHere inputRequests={connection.inputRequests} />
          {outcome.state === 'done' && (
            <Answer connection={connection} tool={tool} given={given} result={outcome.result} open={open} />
          )}
          {notices.length > 0 && <NoticeList label="Log of the call" notices={notices} />}
          <RawMessages exchange={request.findExchange('tools/call')} />
        </>
      }
    >
      <form noValidate onSubmit={call} onKeyDown={submitByKey}>
        <SchemaForm key={formKey} schema={schema} value={given} onChange={setGiven} />
        {connection.declares('tasks') && <TaskChoice value={runsAsTask} onChange={setRunsAsTask} />}
        <SendButtons label={`Call ${tool.name}`} outcome={outcome} onCancel={() => request.cancel()} />
      </form>
      <Definition tool={tool} onFillIn={fillIn} />
    </EntryView>
  );
}

interface AnswerProps extends ToolCallProps {
  readonly given: Json | undefined;
  readonly result: CallToolResult | StartedTask;
}

/** A call that became a task. */
interface StartedTask {
  readonly taskId: string;
}

/** Shows the tool's result, in its app if it has one. */
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

function isBegun(result: CallToolResult | StartedTask): result is StartedTask {
  return 'taskId' in result && !('content' in result);
}

function TaskLink({ taskId, open }: StartedTask & { readonly open: Open }) {
  return (
    <p class="buttons">
      The server is running the call as a task.
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
      Run as a task, if the tool can
    </label>
  );
}

interface Call {
  readonly tool: Tool;
  readonly given: Json | undefined;
  /** Whether the server may run it as a task. */
  readonly runsAsTask: boolean;
  readonly signal: AbortSignal;
  readonly onprogress: (progress: Progress) => void;
}

/** Calls the tool, and receives its log entries. */
async function callTool(
  connection: Connection,
  { tool, given, runsAsTask, signal, onprogress }: Call,
): Promise<CallToolResult | StartedTask> {
  const client = connection.getClient();
  const asksLog = connection.capabilities.logging !== undefined;
  if (asksLog && !connection.isPerRequest) await client.setLoggingLevel('debug');
  const _meta = {
    ...(asksLog && connection.isPerRequest && { [LOG_LEVEL_META_KEY]: 'debug' }),
    ...(runsAsTask && connection.declares('tasks') && WITH_TASKS),
  };
  const report = (progress: Progress) => isOfLibrary(progress) || onprogress(progress);
  const params = { name: tool.name, arguments: (given ?? {}) as Record<string, unknown>, _meta };
  try {
    return await client.callTool(params, { signal, onprogress: report, timeout: PATIENCE_MS });
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
      <progress aria-label="Progress" {...(total !== undefined && { value: progress, max: total })} />
      <p role="status">
        {progress}
        {total !== undefined && ` of ${total}`} {message}
      </p>
    </div>
  );
}

/** The official client reports its round trips as progress. */
function isOfLibrary({ message = '' }: Progress): boolean {
  return message.startsWith('Fulfilling input required by ');
}

interface DefinitionProps {
  readonly tool: Tool;
  readonly onFillIn: (example: Json) => void;
}

/** A tool's schemas, an example of its arguments, and its definition. */
function Definition({ tool, onFillIn }: DefinitionProps) {
  const { inputSchema, outputSchema } = tool;
  const hasArguments = Object.keys(inputSchema.properties ?? {}).length > 0;
  return (
    <div class="folds">
      {hasArguments && (
        <Disclosure title="Schema">
          {() => <JsonView label="Schema of the arguments" value={inputSchema} />}
        </Disclosure>
      )}
      {outputSchema !== undefined && (
        <Disclosure title="Output schema">
          {() => <JsonView label="Schema of the structured content" value={outputSchema} />}
        </Disclosure>
      )}
      {hasArguments && (
        <Disclosure title="Example">
          {() => <Example schema={inputSchema as JsonSchema} onFillIn={onFillIn} />}
        </Disclosure>
      )}
      <Disclosure title="Definition">
        {() => <JsonView label="Definition of the tool" value={tool} />}
      </Disclosure>
    </div>
  );
}

interface ExampleProps {
  readonly schema: JsonSchema;
  readonly onFillIn: (example: Json) => void;
}

/** Example arguments. */
function Example({ schema, onFillIn }: ExampleProps) {
  const example = buildExample(schema);
  return (
    <>
      <JsonView label="Example of the arguments" value={example} />
      <p class="buttons">
        <button type="button" class="small" onClick={() => onFillIn(example)}>
          Fill in the form
        </button>
      </p>
    </>
  );
}
