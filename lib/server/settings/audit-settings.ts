import type { AuditOptions, AuditSettings } from './audit-options.interface.js';
import { onlyGiven } from './only-given.js';

/** Fills defaults in. */
export function buildAuditSettings(options: AuditOptions = {}): AuditSettings {
  return {
    mode: 'optional',
    timeoutMs: 5000,
    maximumPending: 10_000,
    maximumPendingBytes: 32 * 1_048_576,
    ...onlyGiven(options),
  };
}
