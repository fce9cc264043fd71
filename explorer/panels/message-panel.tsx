import { useState } from 'preact/hooks';
import type { Direction, Message } from '../connection/journal.js';
import { useStore } from '../connection/use-store.js';
import { JsonView } from '../parts/json-view.js';
import { formatBytes, formatDuration } from '../parts/format-amount.js';
import type { PanelProps } from './panel.js';

/** The number of messages shown initially. More would slow the browser down. */
const MOST_SHOWN = 100;

/** The connection's timeline: all messages in both directions, newest first. */
export function MessagePanel({ connection: { journal } }: PanelProps) {
  useStore(journal);
  const [filter, setFilter] = useState('');
  const [most, setMost] = useState(MOST_SHOWN);
  const { messages } = journal;
  const found = messages.filter((message) => matches(message, filter.trim().toLowerCase()));
  return (
    <section aria-labelledby="messages" class="timeline">
      <div class="bar">
        <h2 id="messages">Messages</h2>
        <span class="hint">
          {found.length === messages.length ? messages.length : `${found.length} of ${messages.length}`}
        </span>
        <input
          type="search"
          value={filter}
          placeholder="Filter by method, kind or content"
          aria-label="Filter messages"
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <button type="button" disabled={messages.length === 0} onClick={() => journal.clear()}>
          Clear
        </button>
      </div>
      {found.length === 0 && <p class="hint">There are no messages.</p>}
      <div role="log" aria-label="Messages">
        <ol>
          {found.slice(0, most).map((message) => (
            <Row key={message.id} message={message} />
          ))}
        </ol>
      </div>
      {found.length > most && (
        <button type="button" onClick={() => setMost(most + MOST_SHOWN)}>
          Show more
        </button>
      )}
    </section>
  );
}

const ARROWS: Readonly<Record<Direction, string>> = { sent: '→', received: '←', app: '◫' };
const SENDERS: Readonly<Record<Direction, string>> = {
  sent: 'from the page',
  received: 'from the server',
  app: 'from the app',
};

/** One message, which expands to its JSON. */
function Row({ message }: { readonly message: Message }) {
  const [isOpen, setIsOpen] = useState(false);
  const { at, direction, kind, method, ms, bytes } = message;
  return (
    <li data-direction={direction} data-kind={kind}>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          <time dateTime={at.toISOString()}>{formatTime(at)}</time>
          <span class="arrow" role="img" aria-label={SENDERS[direction]} title={SENDERS[direction]}>
            {ARROWS[direction]}
          </span>
          <code class="method">{method}</code>
          <span class="kind">{kind}</span>
          <span class="amount">{ms !== undefined && formatDuration(ms)}</span>
          <span class="amount">{formatBytes(bytes)}</span>
        </summary>
        {isOpen && <JsonView label="Message" value={message.message} />}
      </details>
    </li>
  );
}

/** The content of longer messages is not searched, because each key press triggers a new search. */
const MOST_SEARCHED_BYTES = 200_000;

/** Returns whether a message contains each word of a filter, in its method, kind, direction or content. */
function matches({ method, kind, direction, message, bytes }: Message, filter: string): boolean {
  if (filter === '') return true;
  const text = bytes > MOST_SEARCHED_BYTES ? '' : JSON.stringify(message);
  const searched = `${method} ${kind} ${direction} ${text}`.toLowerCase();
  return filter.split(/\s+/).every((word) => searched.includes(word));
}

/** Formats a time with milliseconds. */
function formatTime(at: Date): string {
  return `${at.toTimeString().slice(0, 8)}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}
