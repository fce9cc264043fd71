import { z } from 'zod';
import { Equipment } from './room.js';

/** Everything that must be known before a room can be chosen. */
export const Wish = z.object({
  purpose: z.string().min(3).describe('What the room is for'),
  day: z.iso.date().meta({ title: 'Day', description: 'For example 2027-03-01' }),
  start: z.enum(['09:00', '11:00', '14:00', '16:00']).meta({ title: 'Start', description: 'For two hours' }),
  people: z.int().min(1).max(12).meta({ title: 'People' }),
  equipment: z.array(Equipment).meta({ title: 'Equipment', description: 'What the room must have' }),
});

export type Wish = z.infer<typeof Wish>;

/** What a model may know of it; the user is asked for the rest. */
export const KnownWish = Wish.partial().required({ purpose: true });

export type KnownWish = z.infer<typeof KnownWish>;

const FIELDS = {
  day: Wish.shape.day,
  start: Wish.shape.start.default('14:00'),
  people: Wish.shape.people.default(4),
  equipment: Wish.shape.equipment.default([]),
};

/** Builds the form that asks for what is missing; nothing where all is known. */
export function buildWishForm(known: KnownWish) {
  const missing = Object.entries(FIELDS).filter(([name]) => known[name as keyof Wish] === undefined);
  return missing.length === 0 ? undefined : z.object(Object.fromEntries(missing));
}
