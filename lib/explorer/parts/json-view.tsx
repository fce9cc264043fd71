import { useState } from 'preact/hooks';
import { isObject } from '../../core/protocol/json-rpc.js';

export interface JsonViewProps {
  readonly value: unknown;
  /** The accessible name of the view. @default 'JSON' */
  readonly label?: string;
}

/** Up to this many lines are shown unfolded. */
const MOST_LINES = 60;

/** Levels that are unfolded in a larger value. */
const UNFOLDED_LEVELS = 1;

/** More members at once make a browser slow. */
const MOST_MEMBERS = 100;

/** Characters of a string that are shown at once: results carry whole pictures. */
const MOST_CHARACTERS = 1_000;

/** Shows a value as highlighted JSON. Each object and array folds, with the keyboard too. */
export function JsonView({ value, label = 'JSON' }: JsonViewProps) {
  if (value === undefined) return null;
  const levels = countLines(value, MOST_LINES) < MOST_LINES ? Infinity : UNFOLDED_LEVELS;
  return (
    <div class="json" role="group" aria-label={label} tabIndex={0}>
      <Value value={value} levels={levels} isLast />
    </div>
  );
}

interface ValueProps {
  /** The name of the member; absent in an array, and at the top. */
  readonly name?: string | undefined;
  readonly value: unknown;
  /** How many levels below are unfolded. */
  readonly levels: number;
  readonly isLast: boolean;
}

function Value(props: ValueProps) {
  const { name, value, isLast } = props;
  if (isBranch(value)) return <Branch {...props} members={listMembers(value)} />;
  return (
    <div class="line">
      <Name name={name} />
      <Scalar value={value} />
      {!isLast && ','}
    </div>
  );
}

type Member = readonly [name: string | undefined, value: unknown];

function Branch({
  name,
  value,
  levels,
  isLast,
  members,
}: ValueProps & { readonly members: readonly Member[] }) {
  const [isOpen, setIsOpen] = useState(levels > 0);
  const [most, setMost] = useState(MOST_MEMBERS);
  const [begin, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const tail = isLast ? end : `${end},`;
  if (members.length === 0) {
    return (
      <div class="line">
        <Name name={name} />
        {begin}
        {tail}
      </div>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        {begin}
        {!isOpen && (
          <>
            <span class="pale"> {members.length} … </span>
            {tail}
          </>
        )}
      </summary>
      {isOpen && (
        <>
          <div class="members">
            {members.slice(0, most).map(([key, member], index) => (
              <Value
                key={key ?? index}
                name={key}
                value={member}
                levels={levels - 1}
                isLast={index === members.length - 1}
              />
            ))}
            {members.length > most && (
              <button type="button" class="small" onClick={() => setMost(most + MOST_MEMBERS)}>
                Show more of {members.length}
              </button>
            )}
          </div>
          <div class="line">{tail}</div>
        </>
      )}
    </details>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <>
      <span class="key">{JSON.stringify(name)}</span>
      {': '}
    </>
  );
}

function Scalar({ value }: { readonly value: unknown }) {
  const [isWhole, setIsWhole] = useState(false);
  const text = JSON.stringify(value) ?? 'null';
  const kind = value === null ? 'null' : typeof value;
  if (isWhole || text.length <= MOST_CHARACTERS) return <span class={kind}>{text}</span>;
  return (
    <>
      <span class={kind}>{text.slice(0, MOST_CHARACTERS)}…</span>{' '}
      <button type="button" class="small" onClick={() => setIsWhole(true)}>
        Show all {text.length} characters
      </button>
    </>
  );
}

function isBranch(value: unknown): value is object {
  return Array.isArray(value) || isObject(value);
}

function listMembers(value: object): readonly Member[] {
  if (Array.isArray(value)) return value.map((member: unknown) => [undefined, member] as const);
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** Counts the lines of a value, and stops at a limit. */
function countLines(value: unknown, limit: number): number {
  if (!isBranch(value)) return 1;
  let lines = 2;
  for (const [, member] of listMembers(value)) {
    lines += countLines(member, limit - lines);
    if (lines >= limit) return limit;
  }
  return lines;
}
