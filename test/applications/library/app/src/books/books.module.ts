import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BookLentHandler } from './book-lent.handler.ts';
import { BookRepository } from './book.repository.ts';
import { BooksController } from './books.controller.ts';
import { FindBooksHandler } from './find-books.query.ts';
import { LendBookHandler } from './lend-book.command.ts';

@Module({
  imports: [CqrsModule],
  controllers: [BooksController],
  providers: [BookRepository, BookLentHandler, FindBooksHandler, LendBookHandler],
})
export class BooksModule {}
