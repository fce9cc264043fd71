import { ConflictException, NotFoundException } from '@nestjs/common';
import { Command, CommandHandler, EventPublisher, type ICommandHandler } from '@nestjs/cqrs';
import type { BookView } from './book.ts';
import { BookRepository } from './book.repository.ts';

export class LendBookCommand extends Command<BookView> {
  constructor(
    readonly id: number,
    readonly reader: string,
  ) {
    super();
  }
}

@CommandHandler(LendBookCommand)
export class LendBookHandler implements ICommandHandler<LendBookCommand> {
  constructor(
    private readonly books: BookRepository,
    private readonly publisher: EventPublisher,
  ) {}

  async execute({ id, reader }: LendBookCommand): Promise<BookView> {
    const found = this.books.find(id);
    if (found === undefined) throw new NotFoundException(`There is no book ${id}`);
    if (found.lentTo !== null && found.lentTo !== reader) {
      throw new ConflictException(`"${found.title}" is lent to ${found.lentTo}`);
    }
    const book = this.publisher.mergeObjectContext(found);
    book.lend(reader);
    book.commit();
    return this.books.view(book);
  }
}
