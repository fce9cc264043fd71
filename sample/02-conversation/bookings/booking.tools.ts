import { ConflictException, Injectable } from '@nestjs/common';
import { elicitation, Resource, listRoots, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { BookingsService } from './bookings.service.js';
import { buildChoiceForm, nameProjects, type Choice } from './choice-form.js';
import { suggestRoom } from './suggest-room.js';
import { buildWishForm, KnownWish, Wish } from './wish.js';

const Cancelling = z.object({ number: z.string().describe('Number of the booking, for example B-1') });

const Reason = z.object({
  reason: z.enum(['postponed', 'smaller', 'online', 'other']).default('other').meta({ title: 'Why' }),
});

/** One source for all clients: in a session a question is a request to the client, without one it ends the call. */
@Injectable()
export class BookingTools {
  constructor(private readonly bookings: BookingsService) {}

  /** Everything before the last question may run more than once, so nothing is changed until that is answered. */
  @Tool({
    name: 'book_room',
    title: 'Book a room',
    description: 'Books a meeting room for two hours. Leave out what you were not told: the user is asked.',
    inputSchema: KnownWish,
    annotations: { destructiveHint: false, openWorldHint: false },
  })
  async book(known: KnownWish, context: McpContext) {
    const form = buildWishForm(known);
    const { details, roots } = await context.requestAll({
      ...(form && { details: elicitation({ message: `When is "${known.purpose}"?`, schema: form }) }),
      ...(context.client.capabilities.roots && { roots: listRoots() }),
    });
    if (details !== undefined && details.action !== 'accept') return explain(details.action);
    const wish = Wish.parse({ ...known, ...details?.content });
    const free = this.bookings.findFree(wish);
    if (free.length === 0) throw new ConflictException(`No room is free on ${wish.day} at ${wish.start}`);
    const suggested = await suggestRoom(wish, free, context);
    const choice = await context.elicit({
      key: 'choice',
      message: `Which room? ${suggested.name} would fit.`,
      schema: buildChoiceForm(free, suggested, nameProjects(roots ?? [])),
    });
    if (choice.action !== 'accept') return explain(choice.action);
    const { room, project } = choice.content as object as Choice;
    return this.bookings.book({ ...wish, room, ...(project !== undefined && { project }) });
  }

  @Tool({
    name: 'cancel_booking',
    title: 'Cancel a booking',
    description: 'Cancels a booking once the user has agreed.',
    inputSchema: Cancelling,
    annotations: { destructiveHint: true, openWorldHint: false },
  })
  async cancel({ number }: z.infer<typeof Cancelling>, context: McpContext) {
    const { purpose, room, day, start } = this.bookings.get(number);
    const message = `Cancel "${purpose}" in ${room} on ${day} at ${start}?`;
    const answer = await context.elicit({ key: 'reason', message, schema: Reason });
    if (answer.action !== 'accept') return explain(answer.action);
    this.bookings.cancel(number);
    return `${number} is cancelled (${answer.content.reason})`;
  }

  @Resource({ uri: 'boathouse://bookings', name: 'bookings', description: 'All bookings of the house.' })
  list() {
    return { bookings: this.bookings.list() };
  }
}

/** A user who says no is no failure: the model is told what it means. */
function explain(action: 'decline' | 'cancel'): string {
  return action === 'decline'
    ? 'The user declined, and nothing was changed. Do not ask again unless the user brings it up.'
    : 'The user closed the question, and nothing was changed. Offer to go on later.';
}
