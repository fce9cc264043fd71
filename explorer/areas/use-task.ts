import { useEffect } from 'preact/hooks';
import { isUnderWay, selectPollInterval } from '../../lib/client/tasks/task-requests.js';
import { answerQuestion } from '../connection/answer-questions.js';
import { TAKES_TASKS } from '../connection/capabilities.js';
import type { Connection } from '../connection/connection.js';
import { pause } from '../connection/pause.js';
import type { KnownTask } from '../connection/tasks.js';
import { useRequest, type Outcome } from './use-request.js';

/** A server may wish to be asked without a pause. */
const SHORTEST_PAUSE_MS = 250;

/** What can be done with a task. */
export interface FollowedTask {
  /** What became of the last look at it. */
  readonly look: Outcome<unknown>;
  /** What became of the last thing that was done with it. */
  readonly action: Outcome<unknown>;
  /** Looks at it, and again as often as the server wishes, until it is over. */
  follow(): void;
  /** Sends a request about it. */
  send(method: string): void;
  /** Puts a question of the task to the user of the page, and sends the answer. */
  answer(key: string, question: unknown): void;
}

/** Follows a task for as long as it is shown. */
export function useTask(connection: Connection, task: KnownTask): FollowedTask {
  const look = useRequest<unknown>(connection);
  const action = useRequest<unknown>(connection);
  const ask = async (method: string, params: object, signal: AbortSignal) => {
    const { taskId, requestState } = task;
    const state = requestState === undefined ? {} : { requestState };
    return connection.request(
      { method, params: { taskId, ...state, ...params, _meta: TAKES_TASKS } },
      signal,
    );
  };
  const lookOn = async (signal: AbortSignal): Promise<void> => {
    for (let current: KnownTask | undefined = task; current !== undefined;) {
      connection.tasks.learn([await ask('tasks/get', {}, signal)]);
      current = connection.tasks.find(task.taskId);
      if (current === undefined || !isUnderWay(current)) return;
      await pause(Math.max(SHORTEST_PAUSE_MS, selectPollInterval(current)), signal);
      signal.throwIfAborted();
    }
  };
  useEffect(() => {
    if (isUnderWay(task)) void look.send(lookOn);
  }, [task.taskId]);
  return {
    look: look.outcome,
    action: action.outcome,
    follow: () => void look.send(lookOn),
    send: (method) => void action.send((signal) => ask(method, {}, signal)),
    answer: (key, question) =>
      void action.send(async (signal) => {
        const answered = await answerQuestion(connection, question, signal);
        return ask('tasks/update', { inputResponses: { [key]: answered } }, signal);
      }),
  };
}
