import type { ScopedCall, ScopedKind } from '../../settings/scoped-call.interface.js';

const KINDS: Readonly<Record<ScopedKind, string>> = {
  tool: 'tool',
  resource: 'resource',
  resourceTemplate: 'resource template',
  prompt: 'prompt',
  completion: 'completion of',
  eventSource: 'event source',
  route: 'route',
};

/** Names what is called, for error texts and the log. */
export function formatScoped({ kind, name }: Pick<ScopedCall, 'kind' | 'name'>): string {
  return `${KINDS[kind]} ${JSON.stringify(name)}`;
}
