import type { ServerSettings } from '../settings/server-settings.js';
import type { ProductionFinding } from './production-finding.interface.js';
import type { Surroundings } from './surroundings.js';

/** What a check gives: the finding without the name of the check. */
export type Judgement = Omit<ProductionFinding, 'id'>;

/** One check of the settings of a server. */
export interface SettingsCheck {
  readonly id: string;
  /** Returns `undefined` if the question does not arise. */
  readonly judge: (settings: ServerSettings) => Judgement | undefined;
}

/** One check of the application and its process. */
export interface SurroundingsCheck {
  readonly id: string;
  /** Returns `undefined` if the question does not arise, or cannot be answered. */
  readonly judge: (surroundings: Surroundings, servers: readonly ServerSettings[]) => Judgement | undefined;
}
