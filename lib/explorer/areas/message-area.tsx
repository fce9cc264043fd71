import { useStore } from '../connection/store.js';
import type { AreaProps } from './area.js';
import { NoticeList } from './notice-list.js';

/** What the server has told without being asked. */
export function MessageArea({ connection: { journal } }: AreaProps) {
  useStore(journal);
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">Messages of the server</h2>
      {journal.notices.length === 0 ? (
        <p class="hint">
          There are none yet: changes of lists and resources, progress and log entries come here.
        </p>
      ) : (
        <>
          <button type="button" onClick={() => journal.clear()}>
            Clear
          </button>
          <NoticeList label="Messages" notices={journal.notices} />
        </>
      )}
    </section>
  );
}
