import type { Tool } from '@modelcontextprotocol/client';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { findApp } from './find-app.js';

/** A property that a tool declares: a short label and its meaning. */
interface Badge {
  readonly text: string;
  readonly meaning: string;
  /** The color. @default 'plain' */
  readonly kind?: 'good' | 'bad' | 'scope';
}

const HINTS = {
  readOnlyHint: { text: 'read-only', meaning: 'Declares that it changes nothing', kind: 'good' },
  destructiveHint: {
    text: 'destructive',
    meaning: 'Declares that it may delete or overwrite data',
    kind: 'bad',
  },
  idempotentHint: { text: 'idempotent', meaning: 'Declares that repeating a call has no further effect' },
  openWorldHint: { text: 'open world', meaning: 'Declares that it accesses systems outside the server' },
} as const satisfies Record<string, Badge>;

const TASKS: Readonly<Record<string, Badge>> = {
  optional: { text: 'task', meaning: 'Can run as a task' },
  required: { text: 'task only', meaning: 'Runs as a task only' },
};

/** Shows the properties that a tool declares. They are not verified. */
export function Badges({ tool }: { readonly tool: Tool }) {
  const badges = [...listHints(tool), ...listTask(tool), ...listApp(tool), ...listScopes(tool)];
  if (badges.length === 0) return null;
  return (
    <ul class="badges" aria-label="Declared by the tool">
      {badges.map(({ text, meaning, kind = 'plain' }) => (
        <li key={text} class={kind} title={meaning}>
          {text}
        </li>
      ))}
    </ul>
  );
}

function listHints({ annotations }: Tool): readonly Badge[] {
  const given: Readonly<Record<string, unknown>> = annotations ?? {};
  return Object.entries(HINTS).flatMap(([name, badge]) => (given[name] === true ? [badge] : []));
}

function listTask({ execution }: Tool): readonly Badge[] {
  const badge = TASKS[execution?.taskSupport ?? ''];
  return badge === undefined ? [] : [badge];
}

function listApp(tool: Tool): readonly Badge[] {
  return findApp(tool) === undefined ? [] : [{ text: 'app', meaning: 'Shows its result in an app' }];
}

/** Some servers list a tool's scopes in its definition or its metadata. */
function listScopes({ _meta, ...tool }: Tool): readonly Badge[] {
  const schemes =
    (tool as Readonly<Record<string, unknown>>)['securitySchemes'] ?? _meta?.['securitySchemes'];
  if (!Array.isArray(schemes)) return [];
  const scopes = schemes.filter(isObject).flatMap(({ scopes: named }) => (Array.isArray(named) ? named : []));
  return [...new Set(scopes.map(String))].map((scope) => ({
    text: scope,
    meaning: `Requires the scope ${scope}`,
    kind: 'scope' as const,
  }));
}
