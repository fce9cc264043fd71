import { AggregateRoot } from '@nestjs/cqrs';
import { BookLentEvent } from './book-lent.event.ts';

export class Book extends AggregateRoot {
  lentTo: string | null = null;

  constructor(
    readonly id: number,
    readonly title: string,
  ) {
    super();
  }

  lend(reader: string) {
    this.lentTo = reader;
    this.apply(new BookLentEvent(this.id, reader));
  }
}

/** What is shown of a book. */
export interface BookView {
  id: number;
  title: string;
  lentTo: string | null;
}
