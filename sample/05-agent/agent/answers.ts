import { z } from 'zod';

/** What this application reads of a booking of the house. */
export const Booking = z.object({
  number: z.string(),
  room: z.string(),
  purpose: z.string(),
  day: z.string(),
});

/** The resource with all bookings. */
export const Bookings = z.object({ bookings: z.array(Booking) });

/** What the desk answers with a list of tickets. */
export const Tickets = z.object({
  tickets: z.array(z.object({ id: z.string(), subject: z.string(), status: z.string() })),
});
