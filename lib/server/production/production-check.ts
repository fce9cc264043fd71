import type { ServerSettings } from '../settings/server-settings.js';
import type { Deployment } from './deployment.js';
import type { FindingStatus } from '../../core/doctor/finding.js';

/** The result of a check: the finding without the name of the check. */
export type CheckResult = Omit<ProductionFinding, 'id'>;

/** One check of the settings of a server. */
export interface SettingsCheck {
  readonly id: string;
  /** Returns `undefined` if the check does not apply. */
  readonly run: (settings: ServerSettings) => CheckResult | undefined;
}

/** One check of the application and its process. */
export interface DeploymentCheck {
  readonly id: string;
  /** Returns `undefined` if the check does not apply, or the facts are unknown. */
  readonly run: (deployment: Deployment, servers: readonly ServerSettings[]) => CheckResult | undefined;
}

/** The finding of one check of a server's settings. */
export interface ProductionFinding {
  /** The name of the check, which does not change. */
  readonly id: string;
  /** A `warning` needs your decision. An `error` must not go to production. */
  readonly status: FindingStatus;
  /** What was found, in one line. */
  readonly found: string;
  /** What to do; empty if there is nothing to do. */
  readonly fix: string;
}
