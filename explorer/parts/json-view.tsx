import { useState } from 'preact/hooks';
import { isObject } from '../../lib/core/protocol/json-rpc.js';

export interface JsonViewProps {
  readonly value: unknown;
  /** The accessible name of the view. @default 'JSON' */
  readonly label?: string;
}

/** The maximum number of lines that are initially unfolded. At least one level is. */
const MOST_LINES = 60;

/** Deeper values are initially folded. */
const MOST_LEVELS = 20;

/** The number of properties shown initially. More would slow the browser down. */
const MOST_MEMBERS = 100;

/** The number of characters of a string that are shown initially, because results can contain entire images. */
const MOST_CHARACTERS = 1_000;

/** Shows a value as highlighted JSON. Each object and array can be folded, also with the keyboard. */
export function JsonView({ value, label = 'JSON' }: JsonViewProps) {
  if (value === undefined) return null;
  return (
    <div class="json" role="group" aria-label={label} tabIndex={0}>
      <Value value={value} levels={countLevels(value)} isLast />
    </div>
  );
}

interface ValueProps {
  /** The property name; absent in an array and at the top level. */
  readonly name?: string | undefined;
  readonly value: unknown;
  /** The number of unfolded levels below it. */
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

/** Computes how many levels of a value are unfolded. */
function countLevels(value: unknown): number {
  let levels = 1;
  while (levels < MOST_LEVELS && countLines(value, levels + 1, MOST_LINES) < MOST_LINES) levels += 1;
  return levels;
}

/** Counts the lines of a value with some levels unfolded, and stops at a limit. */
function countLines(value: unknown, levels: number, limit: number): number {
  if (!isBranch(value) || levels === 0) return 1;
  let lines = 2;
  for (const [, member] of listMembers(value)) {
    lines += countLines(member, levels - 1, limit - lines);
    if (lines >= limit) return limit;
  }
  return lines;
}
