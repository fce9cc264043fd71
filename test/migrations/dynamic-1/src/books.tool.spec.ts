import { BooksTool } from './books.tool';

it('finds a book', () => {
  expect(new BooksTool().findBook({ title: 'Emma' }).content[0].text).toContain('Emma');
});
