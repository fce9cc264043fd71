import { Injectable, type OnApplicationBootstrap, UnprocessableEntityException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { I18nContext, I18nService } from 'nestjs-i18n';
import { Repository } from 'typeorm';
import type { CreateUserDto } from './create-user.dto';
import { User } from './user.entity';

@Injectable()
export class UsersService implements OnApplicationBootstrap {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly i18n: I18nService,
  ) {}

  async onApplicationBootstrap() {
    const createdAt = new Date('2026-01-05T10:00:00Z');
    await this.users.save([
      this.users.create({
        email: 'ada@example.com',
        password: 'Analytical',
        name: 'Ada Lovelace',
        role: 'admin',
        createdAt,
      }),
      this.users.create({
        email: 'alan@example.com',
        password: 'Bombe-1940',
        name: 'Alan Turing',
        createdAt,
      }),
    ]);
  }

  list(take: number): Promise<User[]> {
    return this.users.find({ take, order: { id: 'asc' } });
  }

  findById(id: number): Promise<User | null> {
    return this.users.findOneBy({ id });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.users.findOneBy({ email });
  }

  async create(input: CreateUserDto): Promise<User> {
    if (await this.findByEmail(input.email)) {
      const email = this.i18n.t('users.emailTaken', { lang: I18nContext.current()?.lang });
      throw new UnprocessableEntityException({ status: 422, errors: { email } });
    }
    return this.users.save(this.users.create(input));
  }
}
