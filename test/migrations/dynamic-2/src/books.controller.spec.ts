import { BooksController } from './books.controller';

it('finds a book', () => {
  expect(new BooksController().findBook({ title: 'Emma' }).content[0].text).toContain('Emma');
});
