import { instanceToPlain } from 'class-transformer';
import { User } from './user.entity';
import { UsersController } from './users.controller';

describe('User', () => {
  it('has initials, and no password outside', () => {
    const user = Object.assign(new User(), { name: 'Ada Lovelace', password: 'Analytical' });
    expect(instanceToPlain(user)).toEqual({ name: 'Ada Lovelace', initials: 'AL' });
  });
});

describe('UsersController', () => {
  it('lists what its service has', async () => {
    const controller = new UsersController({ list: async () => [] } as never);
    await expect(controller.list({ limit: 1 })).resolves.toEqual({ users: [], hasNextPage: false });
  });
});
