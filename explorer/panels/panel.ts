import type { Connection } from '../connection/connection.js';

/** The panels of the page. */
export const PANELS = [
  'tools',
  'resources',
  'prompts',
  'tasks',
  'events',
  'skills',
  'messages',
  'requests',
  'doctor',
  'connect',
] as const;
export type PanelName = (typeof PANELS)[number];

/** Tells whether a panel is there: those of extensions are for servers that declare them. */
export function isThere(panel: PanelName, connection: Connection): boolean {
  return panel !== 'tasks' && panel !== 'events' && panel !== 'skills' ? true : connection.declares(panel);
}

/** Opens a panel, and what is chosen in it. */
export type Open = (panel: PanelName, chosen?: string) => void;

export interface PanelProps {
  readonly connection: Connection;
  readonly chosen: string | undefined;
  readonly open: Open;
}
