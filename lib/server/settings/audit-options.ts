import { type Check, fail, milliseconds, oneOf, positive } from '../../core/checks/option-checks.js';
import { optionGroup, type Settings } from '../../core/checks/option-group.js';

/** The request whose arguments or target are redacted, for {@link AuditOptions.redact}. */
export interface AuditedArguments {
  /** Whether it is the arguments, or the resource URI. */
  readonly kind: 'arguments' | 'target';
  /** The method, such as `tools/call`. */
  readonly method: string;
  /** The name of the tool or prompt, or the resource URI; absent if the method has no target. */
  readonly target: string | undefined;
}

/** How operations are audited. Without a subscriber of `McpAudit`, nothing is audited. */
export interface AuditOptions {
  /**
   * Whether the server may respond before the event is stored. `required` fails the operation if no subscriber stores
   * the event.
   * @default 'optional'
   */
  readonly mode?: 'optional' | 'required';
  /**
   * Returns a request's arguments, or a resource URI, as events should contain them; `undefined` omits them. It
   * receives values from which URL credentials have been removed.
   * @default events contain no arguments, and URIs without credentials
   */
  readonly redact?: ((value: unknown, audited: AuditedArguments) => unknown) | undefined;
  /**
   * In `required` mode, how long subscribers have to store an event before its operation fails, in milliseconds.
   * @default 5000
   */
  readonly timeoutMs?: number;
  /**
   * The maximum number of queued events per subscriber, shared among callers. Further events are dropped and logged.
   * @default 10000
   */
  readonly maxPending?: number;
  /** The maximum heap size of queued audit events, in bytes. @default 33554432 */
  readonly maxPendingBytes?: number;
}

/** How operations are audited, with all defaults applied. */
export type AuditSettings = Settings<AuditOptions, 'redact'>;

const redactor: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a function that returns what to show instead');
};

export const AUDIT = optionGroup<AuditOptions, 'redact'>({
  mode: [oneOf('optional', 'required'), 'optional'],
  redact: redactor,
  timeoutMs: [milliseconds, 5000],
  maxPending: [positive, 10_000],
  maxPendingBytes: [positive, 32 * 1_048_576],
});
