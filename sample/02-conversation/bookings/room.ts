import { z } from 'zod';

export const Equipment = z.enum(['screen', 'whiteboard', 'camera']);

export interface Room {
  readonly name: string;
  readonly seats: number;
  readonly equipment: readonly z.infer<typeof Equipment>[];
}

/** The rooms of the house, the smallest first. */
export const ROOMS: readonly Room[] = [
  { name: 'Anchor', seats: 2, equipment: [] },
  { name: 'Buoy', seats: 4, equipment: ['screen'] },
  { name: 'Compass', seats: 6, equipment: ['screen', 'whiteboard'] },
  { name: 'Deck', seats: 6, equipment: ['screen', 'whiteboard', 'camera'] },
  { name: 'Estuary', seats: 12, equipment: ['screen', 'whiteboard', 'camera'] },
];

/** Says in a few words what a room has. */
export function describeRoom({ name, seats, equipment }: Room): string {
  return [name, `${seats} seats`, ...equipment].join(', ');
}
