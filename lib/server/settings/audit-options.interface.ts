/** What somebody is about to audit of a request, for {@link AuditOptions.redact}. */
export interface AuditedArguments {
  /** The method, such as `tools/call`. */
  readonly method: string;
  /** The tool or prompt by its name, the resource by its URI; absent if the method has none. */
  readonly target: string | undefined;
}

/** How operations are audited. Without a subscriber of `McpAudit` nothing is, and nothing is spent on it. */
export interface AuditOptions {
  /** Whether an operation may be answered whose event nobody has taken: `required` fails it instead. @default 'optional' */
  readonly mode?: 'optional' | 'required';
  /** Gives what events show of the arguments of a request; nothing if it gives `undefined`. @default events show no arguments */
  readonly redact?: ((value: unknown, audited: AuditedArguments) => unknown) | undefined;
  /** Milliseconds in which an event has to be taken before its operation fails, in the mode `required`. @default 5000 */
  readonly timeoutMs?: number;
  /** Events that each subscriber may be busy with, shared among callers; further ones are dropped, which the log says. @default 10000 */
  readonly maximumPending?: number;
  /** Bytes of heap that these events may take. @default 33554432 */
  readonly maximumPendingBytes?: number;
}

/** How operations are audited, with every default filled in. */
export type AuditSettings = Required<Omit<AuditOptions, 'redact'>> & Pick<AuditOptions, 'redact'>;
