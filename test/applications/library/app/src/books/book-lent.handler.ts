import { EventsHandler, type IEventHandler } from '@nestjs/cqrs';
import { BookLentEvent } from './book-lent.event.ts';
import { BookRepository } from './book.repository.ts';

@EventsHandler(BookLentEvent)
export class BookLentHandler implements IEventHandler<BookLentEvent> {
  constructor(private readonly books: BookRepository) {}

  handle({ id, reader }: BookLentEvent) {
    this.books.borrowed.push(`${reader}: ${id}`);
  }
}
