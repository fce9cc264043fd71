import type { ServerSettings } from '../settings/server-settings.js';
import type { Deployment } from './deployment.js';
import type { FindingStatus } from '../../core/doctor/finding.js';

/** A check's result: the finding without the check name. */
export type CheckResult = Omit<ProductionFinding, 'id'>;

/** A check of a server's settings. */
export interface SettingsCheck {
  readonly id: string;
  /** Returns `undefined` if the check does not apply. */
  readonly run: (settings: ServerSettings) => CheckResult | undefined;
}

/** A check of the application and its process. */
export interface DeploymentCheck {
  readonly id: string;
  /** Returns `undefined` if the check does not apply, or the facts are unknown. */
  readonly run: (deployment: Deployment, servers: readonly ServerSettings[]) => CheckResult | undefined;
}

/** The finding from one check of a server's settings. */
export interface ProductionFinding {
  /** The check's name, which never changes. */
  readonly id: string;
  /** A `warning` requires a decision. An `error` must not go to production. */
  readonly status: FindingStatus;
  /** What was found, in one line. */
  readonly found: string;
  /** What to do; empty if there is nothing to do. */
  readonly fix: string;
}
