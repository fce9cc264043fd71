import {
  assertMembers,
  callable,
  flag,
  list,
  object,
  oneOf,
  string,
  text,
  type Check,
} from '../../../core/checks/option-checks.js';
import type { EventSourceOptions } from '../extensions/event-source-options.interface.js';

/** Their compiler knows what a schema is. */
const schema: Check = () => undefined;

const CHECKS: Readonly<Record<keyof EventSourceOptions, Check>> = {
  name: text,
  title: string,
  description: string,
  inputSchema: schema,
  payloadSchema: schema,
  delivery: list(oneOf('poll', 'push', 'webhook')),
  cursorless: flag,
  exclusive: flag,
  _meta: object,
  identify: callable,
  filter: callable,
};

const ALIASES = new Map([
  ['schema', 'payloadSchema'],
  ['outputSchema', 'payloadSchema'],
  ['parameters', 'inputSchema'],
  ['arguments', 'inputSchema'],
]);

/**
 * Checks what `@EventSource()` was given.
 *
 * @throws {OptionError} that names the first option that is wrong
 */
export function assertEventSourceOptions(options: unknown): void {
  assertMembers('', options, CHECKS, ALIASES);
}
