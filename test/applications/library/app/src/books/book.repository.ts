import { Injectable } from '@nestjs/common';
import { Book, type BookView } from './book.ts';

@Injectable()
export class BookRepository {
  /** What readers have borrowed so far, from the events. */
  readonly borrowed: string[] = [];
  private readonly books = ['Emma', 'Persuasion', 'Middlemarch'].map(
    (title, index) => new Book(index + 1, title),
  );

  all(): Book[] {
    return this.books;
  }

  find(id: number): Book | undefined {
    return this.books.find((book) => book.id === id);
  }

  view({ id, title, lentTo }: Book): BookView {
    return { id, title, lentTo };
  }
}
