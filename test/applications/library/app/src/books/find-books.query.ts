import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { BookView } from './book.ts';
import { BookRepository } from './book.repository.ts';

export class FindBooksQuery extends Query<{ books: BookView[]; lent: number }> {
  constructor(readonly title: string) {
    super();
  }
}

@QueryHandler(FindBooksQuery)
export class FindBooksHandler implements IQueryHandler<FindBooksQuery> {
  constructor(private readonly books: BookRepository) {}

  async execute({ title }: FindBooksQuery) {
    const found = this.books.all().filter((book) => book.title.includes(title));
    const lent = found.filter(({ lentTo }) => lentTo !== null).length;
    return { books: found.map((book) => this.books.view(book)), lent };
  }
}
