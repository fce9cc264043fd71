import { Module } from '@nestjs/common';
import { BooksModule } from './books/books.module.ts';
import { Settings } from './settings.ts';

@Module({
  imports: [BooksModule],
  providers: [Settings],
})
export class AppModule {}
