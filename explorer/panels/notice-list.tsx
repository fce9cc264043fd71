import type { Notice } from '../connection/journal.js';

/** Lists the server's messages, newest first. Screen readers announce them. */
export function NoticeList({
  label,
  notices,
}: {
  readonly label: string;
  readonly notices: readonly Notice[];
}) {
  return (
    <div role="log" aria-label={label} tabIndex={0} class="notices">
      <ol>
        {notices.map(({ id, at, method, params }) => (
          <li key={id}>
            <time dateTime={at.toISOString()}>{at.toLocaleTimeString()}</time>{' '}
            <code>{method.replace('notifications/', '')}</code> <span class="said">{describe(params)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A log entry is displayed as its message. */
function describe(params: unknown): string {
  const { level, data, _meta, ...rest } = (params ?? {}) as Readonly<Record<string, unknown>>;
  const text = typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data);
  const others = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest);
  return [level, text, others].filter((part) => part !== undefined && part !== '').join(' ');
}
