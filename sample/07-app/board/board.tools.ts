import { Injectable } from '@nestjs/common';
import { RequireScope, Tool, ToolError } from 'nestjs-mcp';
import { first, of, timeout, type Observable } from 'rxjs';
import { z } from 'zod';
import { Tickets, type Board } from './tickets.js';

/** Hosts give calls a minute; the app asks again after less. */
const LONGEST_WAIT_MS = 20_000;

const Since = z.object({ since: z.int().describe('The number of the last change that is known') });
const Which = z.object({ id: z.int().describe('The number of the ticket') });
const Trouble = z.object({ title: z.string().min(3).describe('What is wrong') });

@Injectable()
export class BoardTools {
  constructor(private readonly tickets: Tickets) {}

  /** A model reads the tickets as text; a host that shows apps shows the board besides. */
  @Tool({
    name: 'show_board',
    title: 'Show the board',
    description: 'Shows the tickets that are open',
    annotations: { readOnlyHint: true, openWorldHint: false },
    ui: { resource: 'board.html', prefersBorder: true },
  })
  show(): Board {
    return this.tickets.board;
  }

  /** For the app alone: it waits for the next change, so that whatever others do shows at once. */
  @Tool({
    name: 'wait_for_change',
    description: 'Waits until tickets of the board change, and returns them',
    inputSchema: Since,
    annotations: { readOnlyHint: true, openWorldHint: false },
    ui: { visibility: ['app'] },
  })
  wait({ since }: z.infer<typeof Since>): Observable<Board> {
    return this.tickets.board$.pipe(
      first(({ change }) => change > since),
      timeout({ first: LONGEST_WAIT_MS, with: () => of(this.tickets.board) }),
    );
  }

  @Tool({
    name: 'close_ticket',
    title: 'Close a ticket',
    description: 'Closes a ticket for everybody who sees the board',
    inputSchema: Which,
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    ui: { visibility: ['app'] },
  })
  @RequireScope('board:write')
  close({ id }: z.infer<typeof Which>): string {
    const ticket = this.tickets.close(id);
    if (ticket === undefined) throw new ToolError(`There is no open ticket ${id}: look at the board again`);
    return `Ticket ${id} is closed`;
  }

  @Tool({
    name: 'open_ticket',
    title: 'Open a ticket',
    description: 'Opens a ticket that everybody sees on the board',
    inputSchema: Trouble,
    annotations: { destructiveHint: false, openWorldHint: false },
  })
  @RequireScope('board:write')
  open({ title }: z.infer<typeof Trouble>): string {
    return `Ticket ${this.tickets.open(title).id} is open`;
  }
}
