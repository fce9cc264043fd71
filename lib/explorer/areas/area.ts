import type { Connection } from '../connection/connection.js';

/** The areas of the page. */
export const AREAS = ['tools', 'resources', 'prompts', 'messages', 'requests', 'connect'] as const;
export type AreaName = (typeof AREAS)[number];

/** Opens an area, and what is chosen in it. */
export type Open = (area: AreaName, chosen?: string) => void;

export interface AreaProps {
  readonly connection: Connection;
  readonly chosen: string | undefined;
  readonly open: Open;
}
