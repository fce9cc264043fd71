import { Injectable } from '@nestjs/common';
import {
  elicitation,
  McpModule,
  Prompt,
  Resource,
  listRoots,
  sampling,
  Tool,
  type InputRequiredResult,
  type McpContext,
} from 'nestjs-mcp';
import { z } from 'zod';
import { bootApp, type AdapterName, type RunningApp } from '../../support/applications/boot.js';

const Stay = z.object({
  nights: z.int().min(1).max(14).default(2),
  room: z.enum(['single', 'double']).default('double'),
  extras: z.array(z.enum(['bike', 'boat'])).default([]),
});
const Guest = z.object({ name: z.string().min(1), email: z.email().optional() });
const City = z.object({ city: z.string() });

/** Handlers that ask: one source for every client and every revision. */
@Injectable()
export class BookingHandlers {
  /** How often `book` came to its end. */
  booked = 0;

  @Tool({ description: 'Books a room: asks for the stay, then for the guest', inputSchema: City })
  async book({ city }: z.infer<typeof City>, context: McpContext): Promise<string> {
    const stay = await context.elicit({ message: `How long in ${city}?`, schema: Stay });
    if (stay.action !== 'accept') return `No stay in ${city}: ${stay.action}`;
    const guest = await context.elicit({ message: 'Who comes?', schema: Guest });
    if (guest.action !== 'accept') return `Nobody comes: ${guest.action}`;
    this.booked += 1;
    const { nights, room, extras } = stay.content;
    return `${guest.content.name}: ${nights} nights, ${room}, ${extras.join(' and ') || 'nothing'} more`;
  }

  @Tool({ description: 'Lets the model write a greeting' })
  async greet(_: object, context: McpContext): Promise<string> {
    const { content, model } = await context.sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Write a greeting' } }],
      maxTokens: 20,
    });
    const [block] = [content].flat();
    return `${model}: ${block?.type === 'text' ? block.text : block?.type}`;
  }

  @Tool({ description: 'Lists the folders that are open' })
  async folders(_: object, context: McpContext): Promise<string> {
    return (await context.listRoots()).map(({ name, uri }) => name ?? uri).join(', ');
  }

  @Tool({ description: 'Asks for a guest, a greeting and the folders at once' })
  async prepare(_: object, context: McpContext): Promise<string> {
    const { guest, greeting, folders } = await context.requestAll({
      guest: elicitation({ message: 'Who comes?', schema: Guest }),
      greeting: sampling({ messages: [], maxTokens: 20 }),
      folders: listRoots(),
    });
    return `${guest.action}, ${greeting.model}, ${folders.length}`;
  }

  @Tool({ description: 'Sends the guest to a page' })
  async pay(_: object, context: McpContext): Promise<string> {
    const { action } = await context.elicitUrl({ message: 'Pay', url: 'https://pay.example.com/7' });
    return action;
  }

  @Tool({ description: 'Asks by a result of its own, twice' })
  survey(_: object, { inputResponses, requestState }: McpContext): string | InputRequiredResult {
    const given = (inputResponses['opinion'] as { action?: string } | undefined)?.action;
    if (given !== undefined && requestState === 'second') return `Thank you: ${given}`;
    const requestedSchema = { type: 'object', properties: { stars: { type: 'integer' } } };
    const params = { message: 'How was it?', requestedSchema };
    return {
      resultType: 'input_required',
      inputRequests: { opinion: { method: 'elicitation/create', params } },
      requestState: given === undefined ? 'first' : 'second',
    };
  }

  @Prompt({ description: 'Asks who it is for' })
  async plan(_: object, context: McpContext): Promise<string> {
    const guest = await context.elicit({ message: 'Who comes?', schema: Guest });
    return guest.action === 'accept' ? `Plan a trip for ${guest.content.name}` : 'Plan a trip';
  }

  @Resource({ uri: 'booking://folders' })
  readFolders(_: object, context: McpContext): Promise<string> {
    return this.folders({}, context);
  }
}

export function bootBooking(adapter: AdapterName): Promise<RunningApp> {
  return bootApp({
    adapter,
    imports: [McpModule.forRoot({ serverInfo: { name: 'booking', version: '1.0.0' } })],
    providers: [BookingHandlers],
  });
}
