import {
  assertMembers,
  fail,
  flag,
  list,
  oneOf,
  text,
  type Check,
} from '../../../core/checks/option-checks.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { EventSourceOptions } from '../extensions/event-source-options.interface.js';

const words: Check = (option, value) => {
  if (typeof value !== 'string') fail(option, 'must be a string');
};

const method: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a function');
};

/** Their compiler knows what a schema is. */
const schema: Check = () => undefined;

const CHECKS: Readonly<Record<keyof EventSourceOptions, Check>> = {
  name: text,
  title: words,
  description: words,
  inputSchema: schema,
  payloadSchema: schema,
  delivery: list(oneOf('poll', 'push', 'webhook')),
  cursorless: flag,
  exclusive: flag,
  _meta: (option, value) => {
    if (!isObject(value)) fail(option, 'must be an object');
  },
  identify: method,
  filter: method,
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
