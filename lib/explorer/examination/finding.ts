/** How bad a finding is, as the doctor of the command line says it. */
export type Status = 'ok' | 'warning' | 'fault';

/** What one check of the connection found. */
export interface Finding {
  /** The name of the check, which is that of the doctor's where both make it. */
  readonly id: string;
  readonly status: Status;
  readonly found: string;
  /** What to do; empty if there is nothing to do. */
  readonly remedy: string;
}
