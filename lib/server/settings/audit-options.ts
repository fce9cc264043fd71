import { fail, milliseconds, oneOf, positive, type Check } from '../../core/checks/option-checks.js';
import { optionGroup, type Settings } from '../../core/checks/option-group.js';

/** The request whose arguments or target are redacted, for {@link AuditOptions.redact}. */
export interface AuditedArguments {
  /** Whether it is the arguments, or the URI of the resource. */
  readonly kind: 'arguments' | 'target';
  /** The method, such as `tools/call`. */
  readonly method: string;
  /** The tool or prompt by its name, the resource by its URI; absent if the method has none. */
  readonly target: string | undefined;
}

/** How operations are audited. Without a subscriber of `McpAudit`, nothing is audited. */
export interface AuditOptions {
  /**
   * Whether an operation may be answered before its event is stored. `required` fails the operation if nobody stores
   * the event.
   * @default 'optional'
   */
  readonly mode?: 'optional' | 'required';
  /**
   * Returns the part of a request's arguments that events show, or the URI of a resource as they show it. `undefined`
   * shows nothing. It gets values without the credentials of URLs.
   * @default events show no arguments, and URIs without the credentials of URLs
   */
  readonly redact?: ((value: unknown, audited: AuditedArguments) => unknown) | undefined;
  /** In the mode `required`, milliseconds that subscribers may take for an event before its operation fails. @default 5000 */
  readonly timeoutMs?: number;
  /**
   * Events that may wait for each subscriber, shared among callers. Further events are dropped, and the log says so.
   * @default 10000
   */
  readonly maxPending?: number;
  /** Bytes of heap that these events may take. @default 33554432 */
  readonly maxPendingBytes?: number;
}

/** How operations are audited, with every default filled in. */
export type AuditSettings = Settings<AuditOptions, 'redact'>;

const redactor: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a function that gives what to show instead');
};

export const AUDIT = optionGroup<AuditOptions, 'redact'>({
  mode: [oneOf('optional', 'required'), 'optional'],
  redact: redactor,
  timeoutMs: [milliseconds, 5000],
  maxPending: [positive, 10_000],
  maxPendingBytes: [positive, 32 * 1_048_576],
});
