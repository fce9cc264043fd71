import type { Connection } from '../connection/connection.js';

/** The areas of the page. */
export const AREAS = [
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
export type AreaName = (typeof AREAS)[number];

/** Tells whether an area is there: those of extensions are for servers that declare them. */
export function isThere(area: AreaName, connection: Connection): boolean {
  return area !== 'tasks' && area !== 'events' && area !== 'skills' ? true : connection.declares(area);
}

/** Opens an area, and what is chosen in it. */
export type Open = (area: AreaName, chosen?: string) => void;

export interface AreaProps {
  readonly connection: Connection;
  readonly chosen: string | undefined;
  readonly open: Open;
}
