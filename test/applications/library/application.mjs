/** ES modules that SWC compiles, with `.ts` in imports, CQRS, `forbidNonWhitelisted` and a port that a service reads. */
const loans = (id, reader) => ({ path: `/books/${id}/loans`, method: 'POST', body: { reader } });

export default {
  checks: ['build', 'test'],
  start: ['dist/main.js'],
  environment: (port) => ({ PORT: String(port) }),
  initSays: [/"src\/main\.ts" listens on "settings\.appConfig\.port"/],
  routeTools: { find_books: 'books_find', lend_book: 'books_lend' },
  calls: [
    { tool: 'find_books', arguments: { title: ' Em' }, route: { path: '/books?title=+Em' } },
    { tool: 'find_books', arguments: {}, route: { path: '/books' } },
    { tool: 'lend_book', arguments: { id: 1, reader: 'ada' }, route: loans(1, 'ada') },
    { tool: 'lend_book', arguments: { id: 1, reader: 'alan' }, route: loans(1, 'alan') },
    { tool: 'lend_book', arguments: { id: 9, reader: 'ada' }, route: loans(9, 'ada') },
  ],
};
