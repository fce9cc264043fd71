import { Injectable } from '@nestjs/common';
import { Public, RequireScope, Tool } from 'nestjs-mcp';
import { z } from 'zod';
import type { Answer } from '../clients/call.js';
import { entriesOf, namesOf } from '../clients/entries.js';
import type { JsonObject } from '../clients/message.js';

/** Tools of an office that has too many for one list. */
@Injectable()
export class Office {
  @Tool({ description: 'Tells the opening hours' })
  hours(): string {
    return '9 to 18';
  }

  @Tool({
    title: 'Close a ticket',
    description: 'Ends the work on a ticket and tells its reporter',
    inputSchema: z.object({ ticketId: z.number().describe('Which ticket'), reason: z.string().optional() }),
    tags: ['support', 'resolve'],
  })
  closeTicket({ ticketId }: { ticketId: number }): string {
    return `Ticket ${ticketId} is closed`;
  }

  @Tool({ description: 'Opens a ticket', inputSchema: z.object({ subject: z.string() }), tags: ['support'] })
  open_ticket({ subject }: { subject: string }): string {
    return `Opened ${subject}`;
  }

  @Tool({
    description: 'Sends an invoice to a customer',
    inputSchema: z.object({ email: z.string().describe('Where the customer gets it') }),
    outputSchema: z.object({ invoice: z.number() }),
    annotations: { destructiveHint: false },
    tags: ['billing'],
  })
  sendInvoice(): object {
    return { invoice: 7 };
  }

  @Tool({ description: 'Überweist Löhne an Angestellte', tags: ['Buchhaltung'] })
  payroll(): string {
    return 'bezahlt';
  }

  @Tool({ description: '東京の天気を調べる' })
  weather(): string {
    return '晴れ';
  }

  @Tool({ description: 'Shreds the records of a customer' })
  shredAll(): string {
    return 'shredded';
  }
}

/** The same with tools that not everybody may see or call. */
@Injectable()
export class GuardedOffice extends Office {
  @RequireScope('desk:write')
  @Tool({ description: 'Shreds the records of a customer' })
  shred(): string {
    return 'shredded';
  }

  @Public()
  @Tool({ description: 'Tells everybody the news of the office' })
  news(): string {
    return 'no news';
  }

  @Tool({
    description: 'Lists the secret records of the office',
    visible: ({ auth }) => auth.claims?.sub === 'ada',
  })
  secrets(): string {
    return 'secret';
  }
}

/** Asks what searches for tools, over any way of calling. */
export async function search(
  call: (method: string, params: JsonObject) => { answer(): Promise<Answer> },
  query: string,
  more: JsonObject = {},
): Promise<JsonObject> {
  const { result, error } = await call('tools/call', {
    name: 'search_tools',
    arguments: { query, ...more },
  }).answer();
  if (result === undefined) throw new Error(`The search was answered with ${JSON.stringify(error)}`);
  const [{ text } = {}] = entriesOf(result, 'content');
  return (result['structuredContent'] ?? JSON.parse(String(text))) as JsonObject;
}

/** Gives the names of the tools that a search has found. */
export async function searchNames(...asked: Parameters<typeof search>): Promise<unknown[]> {
  return namesOf(await search(...asked), 'tools');
}
