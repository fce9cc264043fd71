import { paginate } from './page.dto';

describe('A page', () => {
  it('has the rows of its number', () => {
    expect(paginate(['a', 'b', 'c'], { page: 2, limit: 2 })).toEqual({
      data: ['c'],
      info: { page: 2, total: 3, hasNextPage: false },
    });
  });
});
