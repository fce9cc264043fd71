import type { CallToolResult } from '@modelcontextprotocol/client';
import { useEffect } from 'preact/hooks';
import { isActive, selectPollInterval } from '../../lib/client/tasks/task-response.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { answerInputRequest } from '../connection/answer-input-requests.js';
import { WITH_TASKS } from '../connection/capabilities.js';
import type { Connection } from '../connection/connection.js';
import { pause } from '../connection/pause.js';
import type { KnownTask } from '../connection/tasks.js';
import { EntryView } from '../parts/entry-view.js';
import { FactsList } from '../parts/facts-list.js';
import { Disclosure } from '../parts/disclosure.js';
import { JsonView } from '../parts/json-view.js';
import { InputRequestsHere } from '../parts/input-request-panel.js';
import { ResultView } from '../parts/result-view.js';
import type { Open } from './panel.js';
import { OutcomeLine } from './outcome-line.js';
import { useRequest, type Outcome } from './use-request.js';

/** The minimum polling interval in milliseconds, because a server may not request one. */
const SHORTEST_PAUSE_MS = 250;

/** The actions on a task. */
interface FollowedTask {
  /** The outcome of the last poll. */
  readonly look: Outcome<unknown>;
  /** The outcome of the last action. */
  readonly action: Outcome<unknown>;
  /** Polls it at the server's interval until it is finished. */
  follow(): void;
  /** Sends a request about the task. */
  send(method: string): void;
  /** Shows the task's input request to the user, and sends the response. */
  answer(key: string, question: unknown): void;
}

/** Polls a task while it is displayed. */
function useTask(connection: Connection, task: KnownTask): FollowedTask {
  const look = useRequest<unknown>(connection);
  const action = useRequest<unknown>(connection);
  const ask = async (method: string, params: object, signal: AbortSignal) => {
    const { taskId, requestState } = task;
    const state = requestState === undefined ? {} : { requestState };
    return connection.request({ method, params: { taskId, ...state, ...params, _meta: WITH_TASKS } }, signal);
  };
  const lookOn = async (signal: AbortSignal): Promise<void> => {
    for (let current: KnownTask | undefined = task; current !== undefined;) {
      connection.tasks.learn([await ask('tasks/get', {}, signal)]);
      current = connection.tasks.find(task.taskId);
      if (current === undefined || !isActive(current)) return;
      await pause(Math.max(SHORTEST_PAUSE_MS, selectPollInterval(current)), signal);
      signal.throwIfAborted();
    }
  };
  useEffect(() => {
    if (isActive(task)) void look.send(lookOn);
  }, [task.taskId]);
  return {
    look: look.outcome,
    action: action.outcome,
    follow: () => void look.send(lookOn),
    send: (method) => void action.send((signal) => ask(method, {}, signal)),
    answer: (key, question) =>
      void action.send(async (signal) => {
        const answered = await answerInputRequest(connection, question, signal);
        return ask('tasks/update', { inputResponses: { [key]: answered } }, signal);
      }),
  };
}

interface TaskViewProps {
  readonly connection: Connection;
  readonly task: KnownTask;
  readonly open: Open;
}

/** One task: its status, its input requests and its result. */
export function TaskView({ connection, task, open }: TaskViewProps) {
  const followed = useTask(connection, task);
  const { look, action } = followed;
  return (
    <EntryView
      id="task"
      title={task.tool ?? task.taskId}
      name={task.taskId}
      outcome={
        <>
          <TaskInputRequests task={task} onAnswer={followed.answer} />
          <InputRequestsHere inputRequests={connection.inputRequests} />
          {look.state === 'failed' && <OutcomeLine outcome={look} />}
          {action.state === 'failed' && <OutcomeLine outcome={action} />}
          <TaskEnd
            task={task}
            taken={action.state === 'done' ? action.result : undefined}
            onOpen={(uri) => open('resources', uri)}
          />
        </>
      }
    >
      <p role="status" id="task-status">
        {task.status}
        {task.statusMessage !== undefined && `: ${task.statusMessage}`}
      </p>
      <FactsList facts={readTimes(task.received)} />
      <Buttons task={task} followed={followed} />
      <Disclosure title="Raw task">{() => <JsonView label="The task" value={task.received} />}</Disclosure>
    </EntryView>
  );
}

interface ButtonsProps {
  readonly task: KnownTask;
  readonly followed: FollowedTask;
}

function Buttons({ task, followed }: ButtonsProps) {
  return (
    <p class="buttons">
      <button type="button" onClick={() => followed.follow()}>
        Refresh
      </button>
      {isActive(task) && (
        <button type="button" onClick={() => followed.send('tasks/cancel')}>
          Cancel the task
        </button>
      )}
      {task.isCore && (
        <button type="button" onClick={() => followed.send('tasks/result')}>
          Get the result
        </button>
      )}
    </p>
  );
}

interface TaskInputRequestsProps {
  readonly task: KnownTask;
  readonly onAnswer: (key: string, question: unknown) => void;
}

/** The input requests for which the task is waiting. */
function TaskInputRequests({ task: { status, inputRequests }, onAnswer }: TaskInputRequestsProps) {
  if (status !== 'input_required') return null;
  return (
    <>
      {Object.entries(inputRequests).map(([key, question]) => (
        <p key={key}>
          {describe(question)}{' '}
          <button type="button" class="main" onClick={() => onAnswer(key, question)}>
            Respond
          </button>
        </p>
      ))}
    </>
  );
}

interface TaskEndProps {
  readonly task: KnownTask;
  /** The response to a request for the result. */
  readonly taken: unknown;
  readonly onOpen: (uri: string) => void;
}

/** A task's result or error. */
function TaskEnd({ task: { result, error }, taken, onOpen }: TaskEndProps) {
  const given = [result, taken].find(isResult);
  if (given !== undefined) return <ResultView result={given} onOpen={onOpen} />;
  if (!isObject(error)) return null;
  return (
    <section class="result refused" aria-label="Result">
      <h3>The task failed</h3>
      <JsonView value={error} />
    </section>
  );
}

function isResult(value: unknown): value is CallToolResult {
  return isObject(value) && Array.isArray(value['content']);
}

function readTimes(received: unknown): Readonly<Record<string, string | undefined>> {
  const { createdAt, lastUpdatedAt } = isObject(received) ? received : {};
  return { Begun: readText(createdAt), Changed: readText(lastUpdatedAt) };
}

/** Describes an input request with its message, or else its method. */
function describe(question: unknown): string {
  const { method, params } = isObject(question) ? question : {};
  const message = isObject(params) ? readText(params['message']) : undefined;
  return `Input request: ${message ?? readText(method) ?? 'something'}`;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
