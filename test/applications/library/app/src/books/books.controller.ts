import { Body, Controller, Get, HttpCode, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { FindBooksDto, LendBookDto } from './books.dto.ts';
import { BookRepository } from './book.repository.ts';
import { FindBooksQuery } from './find-books.query.ts';
import { LendBookCommand } from './lend-book.command.ts';

@Controller('books')
export class BooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly books: BookRepository,
  ) {}

  @Get()
  find(@Query() { title }: FindBooksDto) {
    return this.queries.execute(new FindBooksQuery(title));
  }

  @Get('borrowed')
  borrowed() {
    return this.books.borrowed;
  }

  @Post(':id/loans')
  @HttpCode(200)
  lend(@Param('id', ParseIntPipe) id: number, @Body() { reader }: LendBookDto) {
    return this.commands.execute(new LendBookCommand(id, reader));
  }
}
