import { WITH_TASKS } from '../connection/capabilities.js';
import { useStore } from '../connection/use-store.js';
import type { PanelProps } from './panel.js';
import { ChoiceColumns } from './choice-columns.js';
import { OutcomeLine } from './outcome-line.js';
import { TaskView } from './task-view.js';
import { useRequest } from './use-request.js';

/** The tasks that this page started, or that the server lists, and the chosen one. */
export function TaskPanel({ connection, chosen, open }: PanelProps) {
  const { tasks } = connection;
  useStore(tasks);
  const listing = useRequest<unknown>(connection);
  const list = () => listing.send(async (signal) => tasks.learnList(await connection.request(LIST, signal)));
  const entries = tasks.known.map(({ taskId, tool, status, statusMessage }) => ({
    key: taskId,
    title: tool ?? taskId,
    name: taskId,
    text: statusMessage === undefined ? status : `${status}: ${statusMessage}`,
  }));
  return (
    <ChoiceColumns
      invitation="Choose a task"
      groups={[{ label: 'tasks', entries }]}
      chosen={chosen}
      onChoose={(taskId) => open('tasks', taskId)}
      show={(taskId) => {
        const task = tasks.find(taskId);
        return task && <TaskView key={taskId} connection={connection} task={task} open={open} />;
      }}
    >
      {connection.isPerRequest ? (
        <p class="hint">Tasks that this page started: without a session, the server lists none.</p>
      ) : (
        <>
          <button type="button" onClick={() => void list()}>
            List the tasks
          </button>
          <OutcomeLine outcome={listing.outcome} />
        </>
      )}
    </ChoiceColumns>
  );
}

const LIST = { method: 'tasks/list', params: { _meta: WITH_TASKS } };
