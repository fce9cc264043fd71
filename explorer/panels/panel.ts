import type { Connection } from '../connection/connection.js';

/** The page's panels. */
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

/** Returns whether a panel is available. Extension panels require a server that declares the extension. */
export function isThere(panel: PanelName, connection: Connection): boolean {
  return panel !== 'tasks' && panel !== 'events' && panel !== 'skills' ? true : connection.declares(panel);
}

/** Opens a panel, and an entry in it. */
export type Open = (panel: PanelName, chosen?: string) => void;

export interface PanelProps {
  readonly connection: Connection;
  readonly chosen: string | undefined;
  readonly open: Open;
}
