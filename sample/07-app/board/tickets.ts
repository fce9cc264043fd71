import { Injectable } from '@nestjs/common';
import { BehaviorSubject, type Observable } from 'rxjs';

export interface Ticket {
  readonly id: number;
  readonly title: string;
}

/** The board as it is now; each change has a number of its own. */
export interface Board {
  readonly change: number;
  readonly tickets: readonly Ticket[];
}

const FIRST: readonly Ticket[] = [
  { id: 1, title: 'The printer is on fire' },
  { id: 2, title: 'The coffee is cold' },
];

/** The tickets that are open. It knows nothing of MCP. */
@Injectable()
export class Tickets {
  readonly #board = new BehaviorSubject<Board>({ change: 0, tickets: FIRST });
  #lastId = FIRST.length;

  /** Emits the board as it is, and after each change. */
  get board$(): Observable<Board> {
    return this.#board.asObservable();
  }

  get board(): Board {
    return this.#board.value;
  }

  open(title: string): Ticket {
    const ticket = { id: ++this.#lastId, title };
    this.#change([...this.board.tickets, ticket]);
    return ticket;
  }

  close(id: number): Ticket | undefined {
    const ticket = this.board.tickets.find((one) => one.id === id);
    if (ticket !== undefined) this.#change(this.board.tickets.filter((one) => one !== ticket));
    return ticket;
  }

  #change(tickets: readonly Ticket[]): void {
    this.#board.next({ change: this.board.change + 1, tickets });
  }
}
