import { TAKES_TASKS } from '../connection/capabilities.js';
import { useStore } from '../connection/store.js';
import type { AreaProps } from './area.js';
import { EntryList } from './entry-list.js';
import { OutcomeLine } from './outcome-line.js';
import { TaskView } from './task-view.js';
import { useRequest } from './use-request.js';

/** The tasks that were begun here, or that the server lists, and the one that is chosen. */
export function TaskArea({ connection, chosen, open }: AreaProps) {
  const { tasks } = connection;
  useStore(tasks);
  const listing = useRequest<unknown>(connection);
  const task = tasks.find(chosen);
  const list = () => listing.send(async (signal) => tasks.learnList(await connection.request(LIST, signal)));
  return (
    <div class="columns">
      <section aria-label="Choose a task">
        {connection.isPerRequest ? (
          <p class="hint">Tasks that were begun here: without a session the server lists none.</p>
        ) : (
          <>
            <button type="button" onClick={() => void list()}>
              List the tasks
            </button>
            <OutcomeLine outcome={listing.outcome} />
          </>
        )}
        <EntryList
          label="tasks"
          entries={tasks.known.map(({ taskId, tool, status, statusMessage }) => ({
            key: taskId,
            title: tool ?? taskId,
            text: statusMessage === undefined ? status : `${status}: ${statusMessage}`,
          }))}
          chosen={chosen}
          onChoose={(taskId) => open('tasks', taskId)}
        />
      </section>
      {task !== undefined && <TaskView key={task.taskId} connection={connection} task={task} open={open} />}
    </div>
  );
}

const LIST = { method: 'tasks/list', params: { _meta: TAKES_TASKS } };
